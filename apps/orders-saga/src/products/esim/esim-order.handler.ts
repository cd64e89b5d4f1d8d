import type { CreateEsimOrderRequest, EsimOrderServiceService } from '@reseller/contracts';
import { decimal, toFixedString } from '@reseller/money';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import type { CanonicalRequest } from '../../order/domain/order';
import { OrderReader } from '../../order/order-reader';
import { placeOrder, type PlaceOrderDeps } from '../place-order';
import { toEsimOrder } from './esim-order.mapper';
import { esim } from './esim.product';

/** EsimOrderService over its use cases. */
export function createEsimOrderHandlers(deps: PlaceOrderDeps): RpcHandlers<typeof EsimOrderServiceService> {
  const reader = new OrderReader(deps.orders, esim.name, 'NOT_FOUND_ESIM_ORDER', toEsimOrder);
  return {
    async createEsimOrder(request, call) {
      const placement = { scope: partnerScopeOf(call), request, values: toValues(request), call };
      const { order, isNew } = await placeOrder(deps, esim, placement);
      return { order: toEsimOrder(order), isNew };
    },
    getEsimOrder: (request, call) => reader.get(request, call),
    getEsimOrderByReference: (request, call) => reader.getByReference(request, call),
    listEsimOrders: (request, call) => reader.list(request, call),
  };
}

// Named as in the public body, since mismatchedFields shows these names to partners.
function toValues(request: CreateEsimOrderRequest): CanonicalRequest {
  const { geoScopeGlobalId, productSku, email, amount, dataAllowance, validityDays, sagaId = null } = request;
  return {
    geoScopeGlobalId,
    productSku,
    email,
    amount: toFixedString(decimal(amount), 2),
    // Without trailing zeros, however many digits the partner wrote.
    dataAllowance: dataAllowance === undefined ? null : decimal(dataAllowance).toFixed(),
    validityDays: validityDays === undefined ? null : String(validityDays),
    sagaId,
  };
}
