import type { CreateEsimOrderRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { decimal, toFixedString } from '@reseller/money';
import type { CallContext } from '@reseller/rpc';
import type { GeoScopeRepository } from '../../geo-scope/geo-scope.repository';
import type { CanonicalRequest, Order } from '../../order/domain/order';
import type { OrderScope } from '../../order/order-scope';
import { placeOrder, type AdmittedOrder, type PlaceOrderParts } from '../../order/place-order';
import type { SagaPlan } from '../../saga/saga-plan';
import type { VendorDirectory } from '../../clients/vendors/vendor-directory';
import { checkOnOffer, checkPrice, checkSellsEsim } from './domain/esim-rules';
import type { EsimProductRepository } from './esim-product.repository';

/** What placing an eSIM order works with. */
export interface CreateEsimOrderParts {
  readonly place: PlaceOrderParts;
  readonly geoScopes: GeoScopeRepository;
  readonly esimProducts: EsimProductRepository;
  readonly vendors: VendorDirectory;
  readonly plan: SagaPlan;
}

/** Places an eSIM order once for each external reference and answers it as it then stands (spec §4.2, §4.6). */
export function createEsimOrder(
  parts: CreateEsimOrderParts,
  scope: OrderScope,
  asked: CreateEsimOrderRequest,
  { requestId, deadlineAt }: CallContext,
): Promise<Order> {
  return placeOrder(parts.place, {
    scope,
    product: 'Esim',
    externalReference: asked.externalReference,
    request: toCanonical(asked),
    sagaId: asked.sagaId,
    plan: parts.plan,
    call: { requestId, deadlineAt },
    admit: () => admit(parts, scope, asked),
  });
}

// Named as in the public body, since mismatchedFields shows these names to partners.
function toCanonical(asked: CreateEsimOrderRequest): CanonicalRequest {
  const { geoScopeGlobalId, productSku, email, amount, dataAllowance, validityDays, sagaId = null } = asked;
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

async function admit(
  parts: CreateEsimOrderParts,
  scope: OrderScope,
  asked: CreateEsimOrderRequest,
): Promise<AdmittedOrder> {
  const { geoScopeGlobalId, productSku, email } = asked;
  const geoScope = checkSellsEsim(geoScopeGlobalId, await parts.geoScopes.find(geoScopeGlobalId));
  const product = checkOnOffer(productSku, await parts.esimProducts.find(productSku), geoScope);
  const vendor = parts.vendors.choose(scope.environment, 'Esim', geoScope.globalId);
  if (!vendor) throw new AppError('BUSINESS_PRODUCT_UNAVAILABLE', { productSku });
  checkPrice(asked, product);
  const { amount, currency, dataAllowance, validityDays } = product;
  return {
    geoScopeGlobalId: geoScope.globalId,
    amount,
    currency,
    phoneNumber: null,
    esim: { productSku, email, dataAllowance, validityDays },
    vendorName: vendor.name,
  };
}
