import type { CreateTopupOrderRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { decimal, toFixedString } from '@reseller/money';
import type { CallContext } from '@reseller/rpc';
import type { GeoScopeRepository } from '../../geo-scope/geo-scope.repository';
import type { CanonicalRequest, Order } from '../../order/domain/order';
import type { OrderScope } from '../../order/order-scope';
import { placeOrder, type AdmittedOrder, type PlaceOrderParts } from '../../order/place-order';
import type { SagaPlan } from '../../saga/saga-plan';
import type { VendorDirectory } from '../../clients/vendors/vendor-directory';
import { checkTopup } from './domain/topup-rules';

/** What placing a top-up works with. */
export interface CreateTopupOrderParts {
  readonly place: PlaceOrderParts;
  readonly geoScopes: GeoScopeRepository;
  readonly vendors: VendorDirectory;
  readonly plan: SagaPlan;
}

/** Places a top-up order once for each external reference and answers it as it then stands (spec §4.2, §4.6). */
export function createTopupOrder(
  parts: CreateTopupOrderParts,
  scope: OrderScope,
  asked: CreateTopupOrderRequest,
  { requestId, deadlineAt }: CallContext,
): Promise<Order> {
  const amount = toFixedString(decimal(asked.amount), 2);
  return placeOrder(parts.place, {
    scope,
    product: 'Topup',
    externalReference: asked.externalReference,
    request: toCanonical(asked, amount),
    sagaId: asked.sagaId,
    plan: parts.plan,
    call: { requestId, deadlineAt },
    admit: () => admit(parts, scope, { ...asked, amount }),
  });
}

// Named as in the public body, since mismatchedFields shows these names to partners.
function toCanonical(asked: CreateTopupOrderRequest, amount: string): CanonicalRequest {
  const { geoScopeGlobalId, phoneNumber, sagaId = null } = asked;
  return { geoScopeGlobalId, amount, phoneNumber, sagaId };
}

async function admit(
  parts: CreateTopupOrderParts,
  scope: OrderScope,
  asked: CreateTopupOrderRequest,
): Promise<AdmittedOrder> {
  const geoScope = checkTopup(asked, await parts.geoScopes.find(asked.geoScopeGlobalId));
  const vendor = parts.vendors.choose(scope.environment, 'Topup', geoScope.globalId);
  if (!vendor) throw new AppError('BUSINESS_PRODUCT_UNAVAILABLE');
  return {
    geoScopeGlobalId: geoScope.globalId,
    amount: asked.amount,
    currency: geoScope.currency,
    phoneNumber: asked.phoneNumber,
    esim: null,
    vendorName: vendor.name,
  };
}
