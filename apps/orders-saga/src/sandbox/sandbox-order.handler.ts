import {
  OrderStatus,
  type Order as OrderMessage,
  type ResolveOrderRequest,
  type SandboxOrderServiceService,
} from '@reseller/contracts';
import { validationFailed } from '@reseller/errors';
import { sandboxScopeOf, type CallContext, type RpcHandlers } from '@reseller/rpc';
import { decideOrder } from '../operations/decide-order';
import { decisionOfPartner, type OperatorCall } from '../operations/domain/decision';
import type { DecideOrderDeps, Decision } from '../operations/take-decision';
import { productOf } from '../products';
import {
  orderOfGroups,
  requireReason,
  type FulfillmentDeps,
} from '../products/scent/fulfillment/order-of-groups';
import { cancelGroup, moveGroup } from '../products/scent/fulfillment/move-group';
import { approveReturnRequest, declineReturnRequest } from '../products/scent/returns/decide-return-request';
import { toReturnRequest } from '../products/scent/returns/return-request.mapper';

/** For the timeline, where an operator gives a reason. */
const NOTES = 'rehearsed in the sandbox';

/** SandboxOrderService over the use cases of operators, with the partner as who decides (spec §15.1). */
export function createSandboxOrderHandlers(
  deps: DecideOrderDeps & FulfillmentDeps,
): RpcHandlers<typeof SandboxOrderServiceService> {
  const decide = async (decision: Omit<Decision, keyof OperatorCall>, call: CallContext) => {
    const order = await decideOrder(deps, { ...decision, notes: NOTES, ...partnerOf(call) });
    const message: OrderMessage = await productOf(order.product).toMessage(deps, order);
    return { order: message };
  };
  return {
    async shipSandboxGroup({ fulfillmentGroupId: id }, call) {
      return orderOfGroups(deps, await moveGroup(deps, id.toLowerCase(), 'Shipped', partnerOf(call)));
    },
    async deliverSandboxGroup({ fulfillmentGroupId: id }, call) {
      return orderOfGroups(deps, await moveGroup(deps, id.toLowerCase(), 'Delivered', partnerOf(call)));
    },
    async cancelSandboxGroup({ fulfillmentGroupId: id }, call) {
      return orderOfGroups(deps, await cancelGroup(deps, id.toLowerCase(), partnerOf(call)));
    },
    async approveSandboxReturn({ returnRequestId }, call) {
      const request = await approveReturnRequest(deps, returnRequestId, partnerOf(call));
      return { returnRequest: toReturnRequest(request) };
    },
    async declineSandboxReturn({ returnRequestId, reason }, call) {
      const partner = partnerOf(call);
      requireReason(reason);
      const request = await declineReturnRequest(deps, returnRequestId, reason, partner);
      return { returnRequest: toReturnRequest(request) };
    },
    async resolveSandboxOrder({ orderGlobalId, outcome }, call) {
      sandboxScopeOf(call);
      const resolution = resolutionOf(orderGlobalId, outcome);
      if (outcome === OrderStatus.FAILED) return decide({ kind: 'resolve-failed', orderGlobalId }, call);
      return decide({ kind: 'resolve-completed', orderGlobalId, resolution }, call);
    },
    async reverseSandboxOrder({ orderGlobalId }, call) {
      return decide({ kind: 'reverse', orderGlobalId }, call);
    },
  };
}

const partnerOf = (call: CallContext): OperatorCall =>
  decisionOfPartner(sandboxScopeOf(call), call.requestId);

function resolutionOf(orderGlobalId: string, outcome: OrderStatus): ResolveOrderRequest {
  if (outcome !== OrderStatus.COMPLETED && outcome !== OrderStatus.FAILED)
    throw validationFailed([{ path: 'outcome', message: 'must be Completed or Failed' }]);
  return {
    ...{ orderGlobalId, outcome, notes: NOTES },
    esimIccid: undefined,
    esimQrCode: undefined,
    esimActivationCode: undefined,
    esimPlanDetails: undefined,
  };
}
