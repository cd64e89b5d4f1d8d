import { ProductType, type CreateTopupOrderRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { decimal, toFixedString } from '@reseller/money';
import type { PlaceableProduct } from '../product';
import { vendorProduct } from '../vendor-order/vendor-product';
import { checkTopup } from './domain/topup-rules';
import { phoneNumberOf, toTopupOrder } from './topup-order.mapper';

/** Credit for a mobile phone, delivered by a vendor (spec §4). */
export const topup: PlaceableProduct<CreateTopupOrderRequest> = {
  name: 'Topup',
  idPrefix: 'TU',
  type: ProductType.TOPUP,
  table: {
    toJson: `jsonb_build_object('phoneNumber', orders.request ->> 'phoneNumber')`,
    isFor: { phoneNumber: `orders.request ->> 'phoneNumber' = $3` },
  },
  ...vendorProduct({
    isSoldIn: ({ topup: limits }) => limits !== null,
    toItem: (order) => ({ phoneNumber: phoneNumberOf(order) }),
    recipientOf: phoneNumberOf,
  }),

  async admit({ geoScopes, vendors }, { environment }, request) {
    const { geoScopeGlobalId, phoneNumber } = request;
    const amount = toFixedString(decimal(request.amount), 2);
    const target = { geoScopeGlobalId, amount, phoneNumber };
    const { currency } = checkTopup(target, await geoScopes.find(geoScopeGlobalId));
    const vendor = vendors.choose(environment, topup.name, geoScopeGlobalId);
    if (!vendor) throw new AppError('BUSINESS_PRODUCT_UNAVAILABLE');
    return { geoScopeGlobalId, amount, currency, details: { phoneNumber }, vendorName: vendor.name };
  },

  async toMessage(_deps, order) {
    return { product: { $case: 'topup', value: toTopupOrder(order) } };
  },
};
