import type { Fakes } from '@reseller/contract-testing';

/** The services behind the backoffice. */
export const SERVICES = ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'] as const;

/** Their fakes. */
export type Services = Fakes<(typeof SERVICES)[number]>;
