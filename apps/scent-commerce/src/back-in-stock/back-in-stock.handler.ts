import { BackInStockServiceService } from '@reseller/contracts';
import { toPageInfo, type KeyedCalls } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, RequestCheck, type RpcHandlers } from '@reseller/rpc';
import { checkCustomerRef } from '../cart/domain/cart-rules';
import { checkIds } from '../check-ids';
import { toRegistrationMessage } from './registration.mapper';
import type { RegistrationRepository } from './registration.repository';

/** Serves reseller.scent.v1.BackInStockService. */
export function createBackInStockHandlers(
  registrations: RegistrationRepository,
  keyed: KeyedCalls<RegistrationRepository>,
): RpcHandlers<typeof BackInStockServiceService> {
  return {
    async registerBackInStock(request, call) {
      const scope = partnerScopeOf(call);
      const check = new RequestCheck();
      const variantId = check.uuid('variantId', request.variantId);
      const customerRef = checkCustomerRef(check, request.customerRef);
      check.end();
      return keyed.run(call, BackInStockServiceService.registerBackInStock, async (own) => {
        const registration = await own.register(scope, { variantId, customerRef });
        if (!registration) throw new AppError('NOT_FOUND_VARIANT');
        return { registration: toRegistrationMessage(registration) };
      });
    },
    async listBackInStockRegistrations({ page }, call) {
      const found = await registrations.list(partnerScopeOf(call), page);
      return {
        registrations: found.registrations.map(toRegistrationMessage),
        page: toPageInfo(page, found.totalCount),
      };
    },
    async cancelBackInStock({ id }, call) {
      const scope = partnerScopeOf(call);
      checkIds({ id });
      const registration = await registrations.cancel(scope, id);
      if (!registration) throw new AppError('NOT_FOUND_BACK_IN_STOCK_REGISTRATION');
      return { registration: toRegistrationMessage(registration) };
    },
  };
}
