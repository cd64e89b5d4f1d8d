import type { SimulatedProductName } from './products';

/** What the simulated vendor is to do. Amounts are decimal strings. */
export interface VendorSubmission {
  /** The caller's idempotency key: the order's global id. One key is one delivery, for ever. */
  readonly idempotencyKey: string;
  readonly product: SimulatedProductName;
  /** E.164, of a product that is for a phone. */
  readonly phoneNumber?: string | undefined;
  /** Of a product that is sent by e-mail. */
  readonly email?: string | undefined;
  /** Of an eSIM. */
  readonly productSku?: string | undefined;
  readonly amount: string;
  readonly currency: string;
}

/** What a vendor finally says of an order it took. */
type Verdict = 'success' | 'refused' | 'unknown';

/** How one recipient makes the vendor behave; a journal row keeps a copy, so that it never changes midway. */
export interface Scenario {
  readonly name: string;
  /** How many submissions meet an unavailable vendor (a 5xx) before it takes the order. */
  readonly outages: number;
  /** At which inquiry after a pending return the verdict falls; 0: at once. */
  readonly settlesAtPoll: number;
  readonly verdict: Verdict;
  /** Why the vendor refuses, in words for the order's errorMessage. */
  readonly reason: string | null;
  /** True: the first response is lost after the delivery. */
  readonly dropsResponse: boolean;
  /** How long the first response takes, in milliseconds. */
  readonly respondsAfterMs: number;
}

const plain: Scenario = {
  name: 'success',
  outages: 0,
  settlesAtPoll: 0,
  verdict: 'success',
  reason: null,
  dropsResponse: false,
  respondsAfterMs: 0,
};

const REFUSAL = 'The vendor refused the order.';

/** The table of spec §4.12: by the last four digits of a phone number, or by an e-mail address's tag. */
export const OUTCOMES: readonly (Scenario & { readonly phoneEnds: string; readonly emailTag: string })[] = [
  { ...plain, phoneEnds: '0001', emailTag: 'fail', name: 'fail', verdict: 'refused', reason: REFUSAL },
  { ...plain, phoneEnds: '0002', emailTag: 'outage', name: 'outage', outages: 3 },
  { ...plain, phoneEnds: '0003', emailTag: 'pending', name: 'pending', settlesAtPoll: 2 },
  {
    ...plain,
    phoneEnds: '0004',
    emailTag: 'pendingfail',
    name: 'pendingfail',
    settlesAtPoll: 2,
    verdict: 'refused',
    reason: REFUSAL,
  },
  { ...plain, phoneEnds: '0005', emailTag: 'unknown', name: 'unknown', verdict: 'unknown' },
  { ...plain, phoneEnds: '0006', emailTag: 'dropped', name: 'dropped', dropsResponse: true },
  { ...plain, phoneEnds: '0007', emailTag: 'slow', name: 'slow', respondsAfterMs: 3_000 },
];

/** Which scenario a recipient rehearses; any recipient outside the table succeeds at once. */
export function scenarioFor(recipient: Pick<VendorSubmission, 'phoneNumber' | 'email'>): Scenario {
  const tag = recipient.email === undefined ? undefined : emailTag(recipient.email);
  const ends = recipient.phoneNumber?.slice(-4);
  return OUTCOMES.find((row) => row.phoneEnds === ends || row.emailTag === tag) ?? plain;
}

function emailTag(email: string): string | undefined {
  const local = email.slice(0, email.lastIndexOf('@'));
  const plus = local.lastIndexOf('+');
  return plus < 0 ? undefined : local.slice(plus + 1).toLowerCase();
}
