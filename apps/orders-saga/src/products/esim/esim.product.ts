import { ProductType, type CreateEsimOrderRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { PlaceableProduct } from '../product';
import { vendorProduct } from '../vendor-order/vendor-product';
import { ACTIVATION_SHAPES, activationNote, recordedActivation } from './domain/activation';
import { checkOnOffer, checkPrice, checkSellsEsim } from './domain/esim-rules';
import { esimDetailsOf } from './domain/esim-details';
import { toEsimOrder } from './esim-order.mapper';
import { ESIM_ORDERS } from './esim-order.table';
import { noteResolvedActivation } from './learn-activation';

/** A data plan for a traveller's phone, delivered by a vendor (spec §4). */
export const esim: PlaceableProduct<CreateEsimOrderRequest> = {
  name: 'Esim',
  idPrefix: 'ES',
  type: ProductType.ESIM,
  table: ESIM_ORDERS,
  ...vendorProduct({
    isSoldIn: ({ sellsEsim }) => sellsEsim,
    toItem(order) {
      const { email, productSku } = esimDetailsOf(order);
      return { email, productSku };
    },
    delivery: {
      shapes: ACTIVATION_SHAPES,
      toNote: activationNote,
      toDetails: (journal) => ({ activation: recordedActivation(journal) }),
      noteResolution: noteResolvedActivation,
    },
  }),

  async admit({ geoScopes, esimProducts, vendors }, { environment }, request) {
    const { geoScopeGlobalId, productSku, email } = request;
    const geoScope = checkSellsEsim(geoScopeGlobalId, await geoScopes.find(geoScopeGlobalId));
    const plan = checkOnOffer(productSku, await esimProducts.find(productSku), geoScope);
    const vendor = vendors.choose(environment, esim.name, geoScopeGlobalId);
    if (!vendor) throw new AppError('BUSINESS_PRODUCT_UNAVAILABLE', { productSku });
    checkPrice(request, plan);
    const { amount, currency, dataAllowance, validityDays } = plan;
    const details = { productSku, email, dataAllowance, validityDays };
    return { geoScopeGlobalId, amount, currency, details, vendorName: vendor.name };
  },

  async toMessage(_deps, order) {
    return { product: { $case: 'esim', value: toEsimOrder(order) } };
  },
};
