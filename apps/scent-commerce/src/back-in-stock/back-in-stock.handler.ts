import type { BackInStockServiceService } from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, RequestCheck, type RpcHandlers } from '@reseller/rpc';
import { checkCustomerRef } from '../cart/domain/cart-rules';
import { checkIds } from '../check-ids';
import { toRegistrationMessage } from './registration.mapper';
import type { RegistrationRepository } from './registration.repository';

/** Serves reseller.scent.v1.BackInStockService. */
export function createBackInStockHandlers(
  registrations: RegistrationRepository,
): RpcHandlers<typeof BackInStockServiceService> {
  return {
    async registerBackInStock(request, call) {
      const scope = partnerScopeOf(call);
      const check = new RequestCheck();
      const variantId = check.uuid('variantId', request.variantId);
      const customerRef = checkCustomerRef(check, request.customerRef);
      check.end();
      const registration = await registrations.register(scope, { variantId, customerRef });
      if (!registration) throw new AppError('NOT_FOUND_VARIANT');
      return { registration: toRegistrationMessage(registration) };
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
