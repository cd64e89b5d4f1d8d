import type { BackInStockServiceService } from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { checkIds } from '../check-ids';
import { toRegistrationMessage } from './registration.mapper';
import type { RegistrationRepository } from './registration.repository';

/** Serves reseller.scent.v1.BackInStockService. */
export function createBackInStockHandlers(
  registrations: RegistrationRepository,
): RpcHandlers<typeof BackInStockServiceService> {
  return {
    async registerBackInStock({ variantId, customerRef }, call) {
      const scope = partnerScopeOf(call);
      checkIds({ variantId });
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
