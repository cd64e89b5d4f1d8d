import { BackInStockStatus, type BackInStockRegistration } from '@reseller/contracts';
import type { RegistrationRecord } from './registration.repository';

const STATUSES: Record<RegistrationRecord['status'], BackInStockStatus> = {
  Active: BackInStockStatus.ACTIVE,
  Notified: BackInStockStatus.NOTIFIED,
  Cancelled: BackInStockStatus.CANCELLED,
};

/** A registration as its message. */
export function toRegistrationMessage(registration: RegistrationRecord): BackInStockRegistration {
  const { status, customerRef, notifiedAt, ...same } = registration;
  return {
    ...same,
    customerRef: customerRef ?? undefined,
    status: STATUSES[status],
    notifiedAt: notifiedAt ?? undefined,
  };
}
