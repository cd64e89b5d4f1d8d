import { decimal, Decimal } from '@reseller/money';
import type { SpendingLimits } from '../src/limit/domain/spending-limits';

interface Hold {
  readonly day: string;
  readonly recipient: string | undefined;
  readonly amount: Decimal;
  state: 'active' | 'captured' | 'released';
  captured: Decimal;
  refunded: Decimal;
}

/** What the model says: done, or refused for this reason with this limit. */
export type Outcome = { refusal: string; limit?: string } | 'done';

const DONE = 'done';

/** One wallet and its limits as a single thread would keep them, by adding all orders up each time. */
export class SpendingModel {
  private readonly holds = new Map<string, Hold>();
  private readonly limits = new Map<string, SpendingLimits>();

  constructor(private posted: Decimal) {}

  setLimits(setter: string, limits: SpendingLimits): void {
    this.limits.set(setter, limits);
  }

  /** What the orders of a day hold and were charged, less what was given back. */
  spentOn(day: string): Decimal {
    return sum([...this.holds.values()].filter((hold) => hold.day === day).map(spendOf));
  }

  reserve(key: string, order: { day: string; recipient: string | undefined; amount: string }): Outcome {
    const known = this.holds.get(key);
    if (known) return known.state === 'released' ? { refusal: 'state' } : DONE;
    const amount = decimal(order.amount);
    const held = sum(
      [...this.holds.values()].map((hold) => (hold.state === 'active' ? hold.amount : NOTHING)),
    );
    if (this.posted.minus(held).lessThan(amount)) return { refusal: 'insufficient' };
    const passed = this.passedBy(amount, order);
    if (passed) return passed;
    this.holds.set(key, { ...order, amount, state: 'active', captured: NOTHING, refunded: NOTHING });
    return DONE;
  }

  release(key: string): Outcome {
    const hold = this.holds.get(key);
    if (!hold) this.holds.set(key, { ...NEVER_MADE });
    else if (hold.state === 'captured') return { refusal: 'state' };
    else hold.state = 'released';
    return DONE;
  }

  lapse(key: string): void {
    const hold = this.holds.get(key);
    if (hold?.state === 'active') hold.state = 'released';
  }

  capture(key: string, amount: Decimal): Outcome {
    const hold = this.holds.get(key);
    if (hold?.state === 'captured') return hold.captured.equals(amount) ? DONE : { refusal: 'reused' };
    if (hold?.state !== 'active' || hold.amount.lessThan(amount)) return { refusal: 'state' };
    Object.assign(hold, { state: 'captured', captured: amount });
    this.posted = this.posted.minus(amount);
    return DONE;
  }

  refund(key: string, amount: Decimal): Outcome {
    const hold = this.holds.get(key);
    if (hold?.state !== 'captured' || hold.captured.lessThan(hold.refunded.plus(amount)))
      return { refusal: 'state' };
    hold.refunded = hold.refunded.plus(amount);
    this.posted = this.posted.plus(amount);
    return DONE;
  }

  private passedBy(
    amount: Decimal,
    { day, recipient }: { day: string; recipient: string | undefined },
  ): Outcome | undefined {
    const lowest = (name: keyof SpendingLimits): Decimal | undefined =>
      [...this.limits.values()]
        .flatMap((limits) => limits[name] ?? [])
        .map((limit) => decimal(limit))
        .reduce<Decimal | undefined>((least, one) => (least?.lessThan(one) ? least : one), undefined);
    const order = lowest('maxOrderAmount');
    if (order && amount.greaterThan(order)) return { refusal: 'order_limit', limit: order.toFixed(2) };
    const spend = lowest('dailySpend');
    if (spend && this.spentOn(day).plus(amount).greaterThan(spend))
      return { refusal: 'spending_limit', limit: spend.toFixed(2) };
    const count = lowest('dailyOrdersPerPhone');
    if (count && recipient !== undefined) {
      const orders = [...this.holds.values()].filter(
        (hold) => hold.recipient === recipient && !spendOf(hold).isZero(),
      );
      if (count.lessThanOrEqualTo(orders.length))
        return { refusal: 'recipient_limit', limit: count.toFixed() };
    }
    return undefined;
  }
}

const NOTHING = new Decimal(0);
const NEVER_MADE: Hold = {
  day: 'none',
  recipient: undefined,
  amount: NOTHING,
  state: 'released',
  captured: NOTHING,
  refunded: NOTHING,
};

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((all, one) => all.plus(one), NOTHING);

function spendOf({ state, amount, captured, refunded }: Hold): Decimal {
  if (state === 'active') return amount;
  return state === 'captured' ? captured.minus(refunded) : NOTHING;
}
