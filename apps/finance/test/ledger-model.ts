import { decimal, type Decimal } from '@reseller/money';
import type { Refusal, WalletOperation } from '../src/ledger/domain/wallet-operation';

interface Hold {
  state: 'active' | 'captured' | 'released' | 'expired';
  amount: Decimal;
  captured: Decimal;
  refunded: Decimal;
  pinned: boolean;
  request: string;
  isTombstone: boolean;
  isSettled: boolean;
  hasLapsed: boolean;
  result: string;
}

/** What the model knows: what units come to when they are given back is decided elsewhere. */
export type ModelOperation = Exclude<WalletOperation, { kind: 'refund_units' }>;

/** What the model says of an operation: done with these figures, or refused. */
export type Expected = { balanceAfter?: string; available?: string } | { refusal: Refusal };

/** One wallet as a single thread would keep it, in the plainest way; what the real ledger is compared with. */
export class LedgerModel {
  posted = decimal(0);
  lines = 0;
  private readonly holds = new Map<string, Hold>();
  private readonly done = new Map<string, { request: string; result: Expected }>();

  get available(): Decimal {
    let available = this.posted;
    for (const hold of this.holds.values()) {
      if (hold.state === 'active' && !hold.hasLapsed) available = available.minus(hold.amount);
    }
    return available;
  }

  /** Time passes until every hold that is not pinned is due. */
  lapseAll(): void {
    for (const hold of this.holds.values())
      if (hold.state === 'active' && !hold.pinned) hold.hasLapsed = true;
  }

  apply(operation: ModelOperation): Expected {
    for (const hold of this.holds.values())
      if (hold.state === 'active' && hold.hasLapsed) hold.state = 'expired';
    switch (operation.kind) {
      case 'reserve':
        return this.reserve(operation);
      case 'pin':
        return this.pin(operation.reservationKey);
      case 'release':
        return this.release(operation.reservationKey);
      case 'capture':
        return this.capture(operation);
      case 'settle':
        return this.settle(operation);
      case 'refund':
        return this.once(`refund ${operation.operationKey}`, operation, () => this.refund(operation));
      case 'credit':
      case 'adjust':
        return this.once(`fund ${operation.idempotencyKey}`, operation, () => this.fund(operation.amount));
    }
  }

  private reserve(operation: Extract<WalletOperation, { kind: 'reserve' }>): Expected {
    const request = JSON.stringify(operation);
    const hold = this.holds.get(operation.reservationKey);
    if (hold) {
      if (hold.isTombstone) return { refusal: 'state' };
      if (hold.request !== request) return { refusal: 'reused' };
      return hold.state === 'active' || hold.state === 'captured'
        ? { available: hold.result }
        : { refusal: 'state' };
    }
    if (this.available.lessThan(operation.amount)) return { refusal: 'insufficient' };
    const { pinned } = operation;
    const result = this.available.minus(operation.amount).toFixed(2);
    this.holds.set(operation.reservationKey, { ...newHold(operation.amount), pinned, request, result });
    return { available: result };
  }

  private pin(key: string): Expected {
    const hold = this.holds.get(key);
    if (hold?.state !== 'active') return { refusal: 'state' };
    hold.pinned = true;
    return {};
  }

  private release(key: string): Expected {
    const hold = this.holds.get(key);
    if (!hold) {
      this.holds.set(key, { ...newHold('0'), state: 'released', isTombstone: true });
      return {};
    }
    if (hold.state === 'captured') return { refusal: 'state' };
    if (hold.state === 'active') hold.state = 'released';
    return {};
  }

  private capture(operation: Extract<WalletOperation, { kind: 'capture' }>): Expected {
    const hold = this.holds.get(operation.reservationKey);
    if (hold?.state === 'active') {
      if (hold.amount.lessThan(operation.amount)) return { refusal: 'state' };
    } else if (hold?.state !== 'captured') {
      return { refusal: 'state' };
    }
    return this.once(`capture ${operation.reservationKey}`, operation, () => {
      hold.state = 'captured';
      hold.captured = decimal(operation.amount);
      return this.post(hold.captured.negated());
    });
  }

  private settle(operation: Extract<WalletOperation, { kind: 'settle' }>): Expected {
    const hold = this.holds.get(operation.reservationKey);
    const sum = (figures: ('goods' | 'goodsVat' | 'commission' | 'commissionVat')[]): Decimal =>
      operation.lines
        .flatMap((line) => figures.map((figure) => line[figure]))
        .reduce((total, amount) => total.plus(amount), decimal(0));
    const charge = sum(['goods', 'goodsVat']);
    if (hold?.state === 'active') {
      if (hold.amount.lessThan(charge)) return { refusal: 'state' };
    } else if (hold?.state !== 'captured' || !hold.isSettled) {
      return { refusal: 'state' };
    }
    return this.once(`capture ${operation.reservationKey}`, operation, () => {
      hold.state = 'captured';
      hold.isSettled = true;
      hold.captured = charge;
      const credit = sum(['commission', 'commissionVat']);
      this.lines += credit.isZero() ? 0 : 1;
      return this.post(credit.minus(charge));
    });
  }

  private refund({ reservationKey, amount }: Extract<WalletOperation, { kind: 'refund' }>): Expected {
    const hold = this.holds.get(reservationKey);
    const refunded = hold?.refunded.plus(amount);
    if (hold?.state !== 'captured' || !refunded || refunded.greaterThan(hold.captured))
      return { refusal: 'state' };
    hold.refunded = refunded;
    return this.post(decimal(amount));
  }

  private fund(amount: string): Expected {
    if (this.available.plus(amount).isNegative()) return { refusal: 'insufficient' };
    return this.post(decimal(amount));
  }

  private once(key: string, operation: ModelOperation, effect: () => Expected): Expected {
    // What an order's line is called is no part of the request.
    const isOrders = 'reservationKey' in operation;
    const request = JSON.stringify(isOrders ? { ...operation, notes: '' } : operation);
    const first = this.done.get(key);
    if (first) return first.request === request ? first.result : { refusal: 'reused' };
    const result = effect();
    // A refusal uses no key.
    if (!('refusal' in result)) this.done.set(key, { request, result });
    return result;
  }

  private post(amount: Decimal): Expected {
    this.posted = this.posted.plus(amount);
    this.lines += 1;
    return { balanceAfter: this.posted.toFixed(2) };
  }
}

function newHold(amount: string): Hold {
  return {
    state: 'active',
    amount: decimal(amount),
    captured: decimal(0),
    refunded: decimal(0),
    pinned: false,
    request: '',
    isTombstone: false,
    isSettled: false,
    hasLapsed: false,
    result: '',
  };
}
