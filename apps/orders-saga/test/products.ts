import { OUTCOMES } from '@reseller/vendor-simulation';
import type { EsimOrder, TopupOrder } from '@reseller/contracts';
import { decimal, toFixedString } from '@reseller/money';
import type { CallContext } from '@reseller/rpc';
import { create, createEsim, esim, topup, type Clients } from './start-orders';

/** A row of spec §4.12, or `success` for any other recipient. */
export type ScenarioName =
  | 'success'
  | 'fail'
  | 'outage'
  | 'pending'
  | 'pendingfail'
  | 'unknown'
  | 'dropped'
  | 'slow';

export type AnyOrder = TopupOrder | EsimOrder;

/** One body under one reference; creating it again repeats it. */
export interface Attempt {
  readonly externalReference: string;
  create(clients: Clients, call: CallContext): Promise<AnyOrder>;
}

/** A product whose orders a vendor delivers, for tests that hold for each of them. */
export interface TestProduct {
  readonly name: 'Topup' | 'Esim';
  /** What each attempt costs. */
  readonly amount: string;
  attempt(scenario?: ScenarioName): Attempt;
  read(clients: Clients, orderId: string, call: CallContext): Promise<AnyOrder>;
}

const outcome = (scenario: ScenarioName) => OUTCOMES.find(({ name }) => name === scenario);

export const PRODUCTS: readonly TestProduct[] = [
  {
    name: 'Topup',
    amount: '10.00',
    attempt(scenario = 'success') {
      const request = topup(outcome(scenario)?.phoneEnds);
      return {
        externalReference: request.externalReference,
        create: (clients, call) => create(clients, request, call),
      };
    },
    async read({ topups }, orderId, call) {
      return (await topups.getTopupOrder({ orderId }, call)).order!;
    },
  },
  {
    name: 'Esim',
    amount: '19.00',
    attempt(scenario = 'success') {
      const request = esim(outcome(scenario)?.emailTag);
      return {
        externalReference: request.externalReference,
        create: (clients, call) => createEsim(clients, request, call),
      };
    },
    async read({ esims }, orderId, call) {
      return (await esims.getEsimOrder({ orderId }, call)).order!;
    },
  },
];

/** The activation data an order shows, all four undefined where it shows none, as on any top-up. */
export function activationOf(order: AnyOrder): (string | undefined)[] {
  const fields: Partial<EsimOrder> = order;
  return [fields.esimIccid, fields.esimQrCode, fields.esimActivationCode, fields.esimPlanDetails];
}

/** 1000.00 less an amount. */
export const thousandLess = (amount: string): string => toFixedString(decimal('1000').minus(amount), 2);
