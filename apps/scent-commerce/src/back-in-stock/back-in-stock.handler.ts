import {
  BackInStockServiceService,
  BackInStockStatus,
  type BackInStockRegistration,
} from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { partnerScopeOf } from '../partner-scope';
import { requireUuids } from '../uuid';
import type { RegistrationRecord, RegistrationRepository } from './registration.repository';

const STATUSES: Record<RegistrationRecord['status'], BackInStockStatus> = {
  Active: BackInStockStatus.ACTIVE,
  Notified: BackInStockStatus.NOTIFIED,
  Cancelled: BackInStockStatus.CANCELLED,
};

/** BackInStockService over its repository. */
export function createBackInStockService(registrations: RegistrationRepository): RpcService {
  return defineRpc(BackInStockServiceService, {
    async registerBackInStock({ variantId, customerRef }, call) {
      const scope = partnerScopeOf(call);
      requireUuids({ variantId });
      const registration = await registrations.register(scope, { variantId, customerRef });
      if (!registration) throw new AppError('NOT_FOUND_VARIANT');
      return { registration: toMessage(registration) };
    },
    async listBackInStockRegistrations({ page }, call) {
      const found = await registrations.list(partnerScopeOf(call), page);
      return {
        registrations: found.registrations.map(toMessage),
        page: toPageInfo(page, found.totalCount),
      };
    },
    async cancelBackInStock({ id }, call) {
      const scope = partnerScopeOf(call);
      requireUuids({ id });
      const registration = await registrations.cancel(scope, id);
      if (!registration) throw new AppError('NOT_FOUND_BACK_IN_STOCK_REGISTRATION');
      return { registration: toMessage(registration) };
    },
  });
}

function toMessage({
  status,
  customerRef,
  notifiedAt,
  ...same
}: RegistrationRecord): BackInStockRegistration {
  return {
    ...same,
    customerRef: customerRef ?? undefined,
    status: STATUSES[status],
    notifiedAt: notifiedAt ?? undefined,
  };
}
