import type { Order } from '../../../order/domain/order';
import type { EsimActivation } from './activation';

/** What only an eSIM order has: the plan as it was when ordered, and what turns it on. */
interface EsimDetails {
  readonly productSku: string;
  readonly email: string;
  /** In GB, a decimal. */
  readonly dataAllowance: string;
  readonly validityDays: number;
  /** Absent until Completed (spec §4.8). */
  readonly activation?: EsimActivation | null | undefined;
}

/** The details of an eSIM order. */
export function esimDetailsOf({ details }: Order): EsimDetails {
  return details as unknown as EsimDetails;
}
