import { expect, partnerService, replies, rpc, waiting, whileFailing } from '../prelude';
import type { Case, Message } from '../prelude';
import {
  decisionOn,
  financeRefuses,
  paidScent,
  parkedScent,
  placed,
  requestedReturn,
  shippedScent,
} from './arrange';

// What a partner decides of its own in its sandbox: as operators' decisions, which their own contract holds in full.

const becomes =
  (status: string): Case =>
  async (_, { request: { fulfillment_group_id }, call }) => {
    const { fulfillment_groups } = (await call()).order as Message;
    const group = { fulfillment_group_id, status: `FULFILLMENT_GROUP_STATUS_${status}` };
    expect(fulfillment_groups).toContainEqual(expect.objectContaining(group));
  };

const isDecided =
  (status: string, more: Message = {}): Case =>
  async (_, { call }) => {
    const { return_request } = await call();
    const decided = { status: `RETURN_REQUEST_STATUS_${status}`, decided_at: expect.any(String) };
    expect(return_request).toMatchObject({ ...decided, ...more });
    expect((return_request as Message).decided_by_user_id).toBeUndefined();
  };

const orderIs = (status: string): Case => replies({ order: { topup: { status: `ORDER_STATUS_${status}` } } });

/** What partners do in their sandbox in the place of operators (spec §15.1). */
export const sandboxOrders = partnerService('SandboxOrderService', {
  ShipSandboxGroup: rpc(paidScent, {
    'ships a group of the partner’s, which the timeline shows as its own decision': async (use, given) => {
      await becomes('SHIPPED')(use, given);
      const [order] = await use.list('ListAllOrders', { partner_id: given.partner.id });
      const { entries } = await use.call('GetOrderTimeline', { order_global_id: order?.order_global_id });
      const shipped = (entries as Message[]).find(({ step }) => step === 'operator.ship');
      expect(shipped?.details_json).toContain('partner PRT-000001');
    },
  }),
  DeliverSandboxGroup: rpc(shippedScent, {
    'delivers it': becomes('DELIVERED'),
  }),
  CancelSandboxGroup: rpc(paidScent, {
    'cancels it and refunds it': becomes('CANCELLED'),
    ...financeRefuses,
  }),
  ApproveSandboxReturn: rpc(requestedReturn, {
    'approves it, and names nobody who decided': isDecided('APPROVED'),
    ...financeRefuses,
  }),
  DeclineSandboxReturn: rpc(requestedReturn, {
    'declines it with its reason, and names nobody who decided': isDecided('DECLINED', {
      decline_reason: 'worn',
    }),
  }),
  ResolveSandboxOrder: rpc(placed('unknown'), {
    'COMPLETED charges an order of which nobody knew what the vendor did': orderIs('COMPLETED'),
    'FAILED undoes a scent order': waiting(async (use) => {
      const { partner, order } = await parkedScent(use, 'commitCheckout');
      const failed = { status: 'ORDER_STATUS_FAILED' };
      const resolved = await partner.call(use.rpc, { ...decisionOn(order), outcome: failed.status });
      expect(resolved).toMatchObject({ order: { scent: failed } });
    }),
    'VALIDATION_FAILED: another outcome': { outcome: 'ORDER_STATUS_CANCELLED' },
    'SERVICE_UNAVAILABLE: finance away': whileFailing('finance', 'captureFunds'),
  }),
  ReverseSandboxOrder: rpc(placed(), {
    'refunds a completed order': orderIs('REVERSED'),
    'SERVICE_UNAVAILABLE: finance away': whileFailing('finance', 'refundFunds'),
  }),
});
