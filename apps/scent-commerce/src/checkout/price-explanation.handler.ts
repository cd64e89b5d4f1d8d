import type { PriceExplanationServiceService } from '@reseller/contracts';
import { partnerScopeOf, RequestCheck, type RpcHandlers } from '@reseller/rpc';
import type { CheckoutRepository } from './checkout.repository';
import { checkKey } from './domain/order-key';
import { explainOrderPrice } from './explain-order-price';

/** Serves reseller.scent.v1.PriceExplanationService. */
export function createPriceExplanationHandlers(
  checkouts: CheckoutRepository,
): RpcHandlers<typeof PriceExplanationServiceService> {
  return {
    async getPriceExplanation(request, call) {
      const owner = partnerScopeOf(call);
      const check = new RequestCheck();
      const orderKey = checkKey(check, 'orderKey', request.orderKey);
      check.end();
      return { explanation: await explainOrderPrice({ checkouts }, owner, orderKey) };
    },
  };
}
