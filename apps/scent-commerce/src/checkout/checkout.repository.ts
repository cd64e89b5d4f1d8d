import { Checkout } from '@reseller/contracts';
import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PartnerScope } from '../partner-scope';

const FIND: PreparedStatement = {
  name: 'find_checkout',
  text: 'SELECT partner_id AS "partnerId", environment, state, answer FROM checkouts WHERE order_key = $1',
};
const FREEZE: PreparedStatement = {
  name: 'checkout_freeze',
  text: 'SELECT checkout_freeze($1, $2, $3, $4, $5, $6, $7) AS outcome',
};
const END: PreparedStatement = {
  name: 'checkout_end',
  text: 'SELECT checkout_end($1, $2, $3, $4) AS outcome',
};

/** A checkout as it stands; one cancelled before it began has no answer. */
export interface CheckoutRecord {
  partnerId: string;
  environment: string;
  state: 'Begun' | 'Committed' | 'Cancelled';
  checkout: Checkout | undefined;
}

/** Why a cart could not be frozen: Known, the key is taken; Frozen, by another order; Gone, it is Open no more; Race, it changed. */
export type FreezeOutcome = 'Done' | 'Known' | 'Frozen' | 'Gone' | 'Race';

/** Done now; Again, it had been done before; State, it cannot be done; Foreign, the key is another's. */
export type EndOutcome = 'Done' | 'Again' | 'State' | 'Foreign';

/** What a freeze is about. */
export interface FreezeRequest {
  checkout: Checkout;
  /** The cart's version that was priced. */
  cartVersion: string;
}

/** Keeps checkouts; freeze and end belong into a transaction with what they decide about. */
export class CheckoutRepository {
  constructor(private readonly db: Queryable) {}

  /** The checkout of a key, whoever's it is. */
  async find(orderKey: string): Promise<CheckoutRecord | undefined> {
    const [row] = await query<Omit<CheckoutRecord, 'checkout'> & { answer: Buffer | null }>(this.db, FIND, [
      orderKey,
    ]);
    if (!row) return undefined;
    const { answer, ...record } = row;
    return { ...record, checkout: answer ? Checkout.decode(answer) : undefined };
  }

  /** Records the checkout and freezes its cart for it; anything but Done changes nothing. */
  async freeze(
    tx: Queryable,
    scope: PartnerScope,
    { checkout, cartVersion }: FreezeRequest,
  ): Promise<FreezeOutcome> {
    const [row] = await query<{ outcome: FreezeOutcome }>(tx, FREEZE, [
      checkout.orderKey,
      scope.partnerId,
      scope.environment,
      checkout.cartId,
      cartVersion,
      checkout.lockId ?? null,
      Buffer.from(Checkout.encode(checkout).finish()),
    ]);
    if (!row) throw new Error('checkout_freeze answered nothing');
    return row.outcome;
  }

  /** Ends a checkout and its hold on the cart. */
  async end(
    tx: Queryable,
    scope: PartnerScope,
    orderKey: string,
    to: 'Committed' | 'Cancelled',
  ): Promise<EndOutcome> {
    const [row] = await query<{ outcome: EndOutcome }>(tx, END, [
      orderKey,
      scope.partnerId,
      scope.environment,
      to,
    ]);
    if (!row) throw new Error('checkout_end answered nothing');
    return row.outcome;
  }
}
