import type { ApiResponse } from '../clients/response';
import { emailTagged, newEsim, newTopup, phoneEnding } from '../clients/bodies';
import type { PartnerClient } from '../clients/partner-client';
import type { VendorOrder } from '../clients/resources';
import type { VendorBehaviour } from './cells';

/** One body under one reference; creating it again repeats it. */
export interface Attempt {
  readonly externalReference: string;
  readonly amount: number;
  create(client: PartnerClient): Promise<ApiResponse<VendorOrder>>;
}

/** A product whose orders can be killed; a new one joins every cell by a row here. */
export interface CrashProduct {
  readonly name: string;
  readonly path: string;
  attempt(vendor: VendorBehaviour): Attempt;
  read(client: PartnerClient, orderId: string): Promise<VendorOrder>;
}

/** The last four digits that rehearse a behaviour (spec §4.12). */
export const PHONE_ENDS: Readonly<Record<VendorBehaviour, string>> = {
  success: '4567',
  fail: '0001',
  outage: '0002',
  pending: '0003',
  pendingfail: '0004',
  unknown: '0005',
  dropped: '0006',
  slow: '0007',
};

/** Top-up and eSIM. */
export const CRASH_PRODUCTS: readonly CrashProduct[] = [
  {
    name: 'Topup',
    path: '/orders/topup',
    attempt(vendor) {
      const body = newTopup({ phoneNumber: phoneEnding(PHONE_ENDS[vendor]), amount: 10.01 });
      return { ...body, create: (client) => client.topup(body) };
    },
    read: (client, orderId) => client.order(orderId),
  },
  {
    name: 'Esim',
    path: '/orders/esim',
    attempt(vendor) {
      const body = newEsim({ email: emailTagged(vendor === 'success' ? undefined : vendor) });
      return { ...body, create: (client) => client.esim(body) };
    },
    read: (client, orderId) => client.esimOrder(orderId),
  },
];
