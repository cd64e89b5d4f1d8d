import { Decimal, decimal, toFixedString } from '@reseller/money';
import type { Message } from '../contract';
import { refuse, Fake } from '../fake';
import type { Caller } from '../world';

interface Reservation {
  readonly partner: string;
  readonly request: string;
  readonly amount: Decimal;
  state: 'HELD' | 'CAPTURED' | 'SETTLED' | 'RELEASED';
  captured: Decimal;
  refunded: Decimal;
  capture?: { request: string; answer: Message };
  readonly operations: Map<string, { request: string; answer: Message }>;
  lines: readonly SettledLine[];
}

interface SettledLine {
  readonly lineId: string;
  readonly quantity: number;
  readonly figures: readonly Decimal[];
  returned: number;
}

const FIGURES = ['goods_amount', 'goods_vat_amount', 'commission_amount', 'commission_vat_amount'] as const;
const CENT = new Decimal('0.01');

const money = (value: Decimal): string => toFixedString(value, 2);
const ownerOf = (request: Message): string =>
  `${String(request['environment'])} ${String(request['partner_id'])}`;
const keyOf = (request: Message): string => String(request['reservation_key']);
const valuesOf = (request: Message, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => request[name]));

/** A positive amount with at most two decimals, as text. */
function amountOf(request: Message): Decimal {
  const text = String(request['amount'] ?? '');
  if (!/^\d+(\.\d{1,2})?$/.test(text) || decimal(text).isZero()) refuse('VALIDATION_FAILED');
  return decimal(text);
}

/** finance's wallets, reservations and settlements in memory, held to the same contract as finance. */
export class FundsModel {
  private readonly wallets = new Map<string, { posted: Decimal; rate?: Message | undefined }>();
  private readonly reservations = new Map<string, Reservation>();
  private transactions = 0;

  /** The fake that serves it. */
  fake(): Fake {
    return new Fake({
      'WalletService.OpenWallet': (request) => this.open(request),
      'WalletService.CreditWallet': (request) => this.credit(request),
      'FundsService.CheckFunds': (request) => {
        this.checked(request, false);
        const available_balance = money(this.available(ownerOf(request)));
        const display_rate = this.wallets.get(ownerOf(request))?.rate ?? null;
        return { currency: 'SAR', available_balance, display_rate };
      },
      'FundsService.ReserveFunds': (request) => this.reserve(this.checked(request)),
      'FundsService.PinReservation': (request) => {
        this.held(this.checked(request));
        return {};
      },
      'FundsService.CaptureFunds': (request) => this.capture(this.checked(request)),
      'FundsService.ReleaseFunds': (request) => this.release(this.checked(request)),
      'FundsService.RefundFunds': (request) => this.refund(this.checked(request)),
      'SettlementService.SettleOrder': (request) => this.settle(this.checked(request)),
      'SettlementService.RefundUnits': (request) => this.refundUnits(this.checked(request)),
      'OrderFundsService.ListOrderFunds': ({ keys }) => ({ funds: this.fundsOf(keys as string[]) }),
      'OrderFundsService.ListFundedKeys': (request) => ({ keys: this.fundedKeys(request) }),
      'WalletService.GetBalance': (_, caller) => this.balanceOf(caller),
    });
  }

  /** Opens a partner's wallet with so much in it, and a display rate if any. */
  fund(ref: Message, amount: string, rate?: Message): void {
    this.open(ref);
    this.credit({ ...ref, amount });
    this.wallets.set(ownerOf(ref), { posted: decimal(amount), rate });
  }

  private checked(request: Message, hasKey = true): Message {
    const isNamed =
      /^[0-9a-f-]{36}$/.test(String(request['partner_id'])) &&
      request['environment'] !== 'ENVIRONMENT_UNSPECIFIED';
    if (!isNamed || (hasKey && keyOf(request) === '')) refuse('VALIDATION_FAILED');
    return request;
  }

  private open(request: Message): Message {
    const owner = ownerOf(request);
    const wallet = this.wallets.get(owner) ?? { posted: new Decimal(0) };
    this.wallets.set(owner, wallet);
    return {};
  }

  private credit(request: Message): Message {
    const wallet = this.wallets.get(ownerOf(request)) ?? refuse('NOT_FOUND_WALLET');
    wallet.posted = wallet.posted.plus(String(request['amount']));
    return {};
  }

  private available(owner: string): Decimal {
    const wallet = this.wallets.get(owner) ?? refuse('NOT_FOUND_WALLET');
    return [...this.reservations.values()]
      .filter((one) => one.partner === owner && one.state === 'HELD')
      .reduce((left, one) => left.minus(one.amount), wallet.posted);
  }

  private balanceOf(caller: Caller): Message {
    const environment = `ENVIRONMENT_${String(caller['x-environment']).toUpperCase()}`;
    const owner = ownerOf({ environment, partner_id: caller['x-partner-id'] });
    return {
      currency: 'SAR',
      available_balance: money(this.available(owner)),
      current_balance: this.post(owner, new Decimal(0)),
      display_rate: null,
    };
  }

  private post(owner: string, amount: Decimal): string {
    const wallet = this.wallets.get(owner) ?? refuse('NOT_FOUND_WALLET');
    wallet.posted = wallet.posted.plus(amount);
    return money(wallet.posted);
  }

  private reserve(request: Message): Message {
    const owner = ownerOf(request);
    const values = valuesOf(request, ['order_global_id', 'pinned', 'amount']);
    const amount = amountOf(request);
    const known = this.reservations.get(keyOf(request));
    if (known?.state === 'RELEASED') refuse('CONFLICT_ORDER_STATE');
    if (known && (known.partner !== owner || known.request !== values))
      refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    if (!known) {
      if (this.available(owner).lessThan(amount)) refuse('BUSINESS_INSUFFICIENT_BALANCE');
      this.reservations.set(keyOf(request), { ...blank(owner), request: values, amount, state: 'HELD' });
    }
    return { available_balance: money(this.available(owner)) };
  }

  /** The caller's reservation that holds. */
  private held(request: Message): Reservation {
    const known = this.reservations.get(keyOf(request));
    if (known?.partner !== ownerOf(request) || known.state !== 'HELD') refuse('CONFLICT_ORDER_STATE');
    return known;
  }

  private capture(request: Message): Message {
    const values = valuesOf(request, ['amount', 'notes']);
    const amount = amountOf(request);
    const known = this.reservations.get(keyOf(request));
    if (known?.partner === ownerOf(request) && known.capture) {
      if (known.capture.request !== values) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
      return known.capture.answer;
    }
    const held = this.held(request);
    if (amount.greaterThan(held.amount)) refuse('CONFLICT_ORDER_STATE');
    const answer = {
      transaction_id: this.nextId(),
      balance_after: this.post(held.partner, amount.negated()),
    };
    Object.assign(held, { state: 'CAPTURED', captured: amount, capture: { request: values, answer } });
    return answer;
  }

  private release(request: Message): Message {
    const owner = ownerOf(request);
    const known = this.reservations.get(keyOf(request));
    if (known && known.partner !== owner) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    if (known && known.captured.greaterThan(0)) refuse('CONFLICT_ORDER_STATE');
    if (known) known.state = 'RELEASED';
    else this.reservations.set(keyOf(request), { ...blank(owner), state: 'RELEASED' });
    return {};
  }

  private refund(request: Message): Message {
    if (request['operation_key'] === '') refuse('VALIDATION_FAILED');
    const amount = amountOf(request);
    const known = this.reservations.get(keyOf(request));
    if (known?.partner !== ownerOf(request) || known.state !== 'CAPTURED') refuse('CONFLICT_ORDER_STATE');
    return this.once(known, request, ['amount', 'notes'], () => {
      if (known.refunded.plus(amount).greaterThan(known.captured)) refuse('CONFLICT_ORDER_STATE');
      known.refunded = known.refunded.plus(amount);
      return { transaction_id: this.nextId(), balance_after: this.post(known.partner, amount) };
    });
  }

  private settle(request: Message): Message {
    const owner = ownerOf(request);
    const lines = linesOf(request);
    if (!this.wallets.has(owner)) refuse('NOT_FOUND_WALLET');
    const values = valuesOf(request, ['lines', 'notes']);
    const known = this.reservations.get(keyOf(request));
    if (known?.partner === owner && known.state === 'SETTLED' && known.capture) {
      if (known.capture.request !== values) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
      return known.capture.answer;
    }
    const charge = sum(lines, [0, 1]);
    const order = charge.isZero() && !known ? blank(owner) : this.held(request);
    if (charge.greaterThan(order.amount)) refuse('CONFLICT_ORDER_STATE');
    this.reservations.set(keyOf(request), order);
    const answer = {
      settled_at: new Date(),
      balance_after: this.post(owner, sum(lines, [2, 3]).minus(charge)),
    };
    Object.assign(order, { state: 'SETTLED', captured: charge, capture: { request: values, answer }, lines });
    return answer;
  }

  private refundUnits(request: Message): Message {
    const owner = ownerOf(request);
    const asked = request['lines'] as readonly Message[];
    if (request['operation_key'] === '' || asked.some(({ quantity }) => Number(quantity) < 1))
      refuse('VALIDATION_FAILED');
    if (!this.wallets.has(owner)) refuse('NOT_FOUND_WALLET');
    const known = this.reservations.get(keyOf(request));
    if (known?.partner !== owner || known.state !== 'SETTLED') refuse('CONFLICT_ORDER_STATE');
    return this.once(known, request, ['lines', 'notes'], () => {
      const given = asked.map((one) => giveBack(known.lines, one));
      const [refunded, clawedBack] = [sum(given, [0, 1]), sum(given, [2, 3])];
      if (this.available(owner).plus(refunded).lessThan(clawedBack)) refuse('BUSINESS_INSUFFICIENT_BALANCE');
      for (const one of given)
        known.lines
          .filter(({ lineId }) => lineId === one.lineId)
          .forEach((line) => (line.returned += one.quantity));
      this.post(owner, refunded.minus(clawedBack));
      known.refunded = known.refunded.plus(refunded);
      return {
        refunded_at: new Date(),
        refunded_amount: money(refunded),
        clawed_back_amount: money(clawedBack),
        lines: given.map(({ lineId, quantity, figures }) => ({
          line_id: lineId,
          quantity,
          ...Object.fromEntries(FIGURES.map((name, index) => [name, money(figures[index] ?? CENT)])),
        })),
      };
    });
  }

  private once(order: Reservation, request: Message, names: readonly string[], work: () => Message): Message {
    const key = String(request['operation_key']);
    const values = valuesOf(request, names);
    const known = order.operations.get(key);
    if (known && known.request !== values) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    const answer = known?.answer ?? work();
    order.operations.set(key, { request: values, answer });
    return answer;
  }

  private fundsOf(keys: readonly string[]): Message[] {
    if (keys.length > 500) refuse('VALIDATION_FAILED');
    const states = { HELD: 'HELD', CAPTURED: 'CHARGED', SETTLED: 'CHARGED', RELEASED: 'ENDED' };
    return keys.flatMap((key) => {
      const known = this.reservations.get(key);
      if (!known) return [];
      const { amount, captured, refunded, state } = known;
      return [
        {
          key,
          state: `FUNDS_STATE_${states[state]}`,
          amount: money(amount),
          captured: money(captured),
          refunded: money(refunded),
        },
      ];
    });
  }

  private fundedKeys({ after_key, limit }: Message): string[] {
    if (Number(limit) < 1 || Number(limit) > 500) refuse('VALIDATION_FAILED');
    return [...this.reservations]
      .filter(([key, { state }]) => key > String(after_key) && state !== 'RELEASED')
      .map(([key]) => key)
      .sort()
      .slice(0, Number(limit));
  }

  private nextId(): string {
    return String((this.transactions += 1));
  }
}

const blank = (partner: string): Reservation => ({
  partner,
  request: '',
  amount: new Decimal(0),
  state: 'HELD',
  captured: new Decimal(0),
  refunded: new Decimal(0),
  operations: new Map(),
  lines: [],
});

function linesOf(request: Message): SettledLine[] {
  const lines = request['lines'] as readonly Message[];
  const ids = lines.map(({ line_id: id }) => String(id));
  if (lines.length === 0 || new Set(ids).size < ids.length) refuse('VALIDATION_FAILED');
  return lines.map((line) => ({
    lineId: String(line['line_id']),
    quantity: Number(line['quantity']),
    figures: FIGURES.map((name) => decimal(String(line[name]))),
    returned: 0,
  }));
}

function sum(lines: readonly SettledLine[], indexes: readonly number[]): Decimal {
  return lines
    .flatMap(({ figures }) => indexes.map((index) => figures[index] ?? new Decimal(0)))
    .reduce((total, one) => total.plus(one), new Decimal(0));
}

/** Units of a line with their share of each figure, by cumulative difference. */
function giveBack(lines: readonly SettledLine[], { line_id: id, quantity }: Message): SettledLine {
  const line = lines.find(({ lineId }) => lineId === id);
  const units = Number(quantity);
  if (!line || line.returned + units > line.quantity) refuse('CONFLICT_ORDER_STATE');
  const share = (figure: Decimal, count: number): Decimal =>
    decimal(toFixedString(figure.times(count).dividedBy(line.quantity), 2));
  return {
    lineId: line.lineId,
    quantity: units,
    figures: line.figures.map((one) => share(one, line.returned + units).minus(share(one, line.returned))),
    returned: 0,
  };
}
