import {
  Environment,
  FundsServiceService,
  FundsState,
  OrderFundsServiceService,
  RateServiceService,
  SettlementServiceService,
  WalletServiceService,
  type DisplayRate,
  type RefundedUnits,
  type SettlementLine,
  type SettleOrderResponse,
} from '@reseller/contracts';
import { AppError, type ErrorCode } from '@reseller/errors';
import { Decimal, decimal, toFixedString } from '@reseller/money';
import { Fake } from '../fakes/fake';

type State = 'held' | 'captured' | 'settled' | 'released';
type Figure = 'goodsAmount' | 'goodsVatAmount' | 'commissionAmount' | 'commissionVatAmount';

interface Wallet {
  posted: Decimal;
  readonly displayRate: DisplayRate | undefined;
}

/** What one operation key gave back. */
export interface FakeRefund {
  readonly lines: readonly RefundedUnits[];
  readonly refundedAmount: string;
  readonly clawedBackAmount: string;
}

interface Reservation {
  readonly owner: string;
  readonly wallet: Wallet | undefined;
  readonly amount: Decimal;
  state: State;
  captured: Decimal;
  refunded: Decimal;
  lines: readonly SettlementLine[];
  /** By operation: what was requested, and the first reply. */
  readonly done: Map<string, { values: string; reply: object }>;
  readonly refunds: Map<string, FakeRefund>;
}

interface Named {
  readonly partnerId: string;
  readonly environment: Environment;
  readonly reservationKey: string;
}

const ZERO = new Decimal(0);
const money = (value: Decimal): string => toFixedString(value, 2);
const refuse = (code: ErrorCode): never => {
  throw new AppError(code);
};
const ownerOf = ({ partnerId, environment }: Omit<Named, 'reservationKey'>): string =>
  /^[0-9a-f-]{36}$/.test(partnerId) && environment !== Environment.UNSPECIFIED
    ? `${environment} ${partnerId}`
    : refuse('VALIDATION_FAILED');

/** A positive amount with at most two decimals. */
const amountOf = (text: string): Decimal =>
  /^\d+(\.\d{1,2})?$/.test(text) && !decimal(text).isZero() ? decimal(text) : refuse('VALIDATION_FAILED');

/** finance's wallets, reservations and settlements in memory, held to the same contract as finance (test/fake-finance.spec.ts). */
export class FakeFinance extends Fake {
  private readonly reservations = new Map<string, Reservation>();
  /** What was answered to each order that was settled. */
  readonly settlements = new Map<string, SettleOrderResponse>();
  private readonly wallets = new Map<string, Wallet>();
  private readonly shared: Wallet | undefined;
  private transactions = 0;

  /** With a deposit, everybody has the one wallet that it is in. */
  constructor(deposit?: string, displayRate?: DisplayRate) {
    super('finance');
    if (deposit !== undefined) this.shared = { posted: decimal(deposit), displayRate };
    this.serveWallets();
    this.serveFunds();
    this.on(SettlementServiceService, {
      settleOrder: (request) => this.settle(request, request.lines, request.notes),
      refundUnits: (request) => this.refundUnits(request, request),
    });
    this.on(OrderFundsServiceService, {
      listOrderFunds: ({ keys }) => ({ funds: this.fundsOf(keys) }),
      listFundedKeys: ({ afterKey, limit }) => ({ keys: this.fundedKeys(afterKey, limit) }),
    });
    this.on(RateServiceService, { getRate: () => ({ rate: FAKE_RATE }) });
  }

  /** Opens a wallet with so much in it. */
  fund(ref: Omit<Named, 'reservationKey'>, amount: string, displayRate?: DisplayRate): void {
    this.wallets.set(ownerOf(ref), { posted: decimal(amount), displayRate });
  }

  /** What could be spent of everybody's wallet. */
  available(): string {
    return money(this.availableIn(this.shared ?? refuse('NOT_FOUND_WALLET')));
  }

  count(state: State): number {
    return [...this.reservations.values()].filter((one) => one.state === state).length;
  }

  /** How many orders are charged and not refunded in full. */
  charges(): number {
    return [...this.reservations.values()].filter((one) => one.captured.greaterThan(one.refunded)).length;
  }

  /** What an order was given back, by operation key. */
  refundsOf(reservationKey: string): ReadonlyMap<string, FakeRefund> {
    return this.reservations.get(reservationKey)?.refunds ?? new Map<string, FakeRefund>();
  }

  /** Puts a reservation there without a call, or takes it away; answers what puts it back as it was. */
  put(
    key: string,
    given: { amount: string; state: 'held' | 'captured' | 'released' } | undefined,
  ): () => void {
    const was = this.reservations.get(key);
    const set = (one: Reservation | undefined): void =>
      void (one ? this.reservations.set(key, one) : this.reservations.delete(key));
    const amount = decimal(given?.amount ?? '0');
    const captured = given?.state === 'captured' ? amount : ZERO;
    set(given && { ...this.blank('nobody', this.shared, amount), state: given.state, captured });
    return () => set(was);
  }

  private serveWallets(): void {
    this.on(WalletServiceService, {
      openWallet: (request) => {
        const owner = ownerOf(request);
        this.wallets.set(owner, this.wallets.get(owner) ?? { posted: ZERO, displayRate: undefined });
        return {};
      },
      creditWallet: (request) => {
        this.post(this.walletOf(ownerOf(request)), decimal(request.amount));
        return {};
      },
      getBalance: (_, { partner }) => {
        const wallet = this.walletOf(partner ? ownerOf(partner) : '');
        const availableBalance = money(this.availableIn(wallet));
        return { availableBalance, currentBalance: money(wallet.posted), displayRate: wallet.displayRate };
      },
    });
  }

  private serveFunds(): void {
    this.on(FundsServiceService, {
      checkFunds: (request) => {
        const wallet = this.walletOf(ownerOf(request));
        const availableBalance = money(this.availableIn(wallet));
        return { currency: 'SAR', availableBalance, displayRate: wallet.displayRate };
      },
      reserveFunds: (request) => {
        const values = JSON.stringify([request.orderGlobalId, request.pinned, request.amount]);
        return this.reserve(request, amountOf(request.amount), values);
      },
      pinReservation: (request) => {
        this.held(request);
        return {};
      },
      captureFunds: (request) => {
        const amount = amountOf(request.amount);
        return this.once(this.find(request), 'charge', [request.amount, request.notes], () => {
          const held = this.held(request);
          if (amount.greaterThan(held.amount)) refuse('CONFLICT_ORDER_STATE');
          Object.assign(held, { state: 'captured', captured: amount });
          return this.posted(held, amount.negated());
        });
      },
      releaseFunds: (request) => this.release(request),
      refundFunds: (request) => {
        if (request.operationKey === '') refuse('VALIDATION_FAILED');
        const amount = amountOf(request.amount);
        const known = this.inState(request, 'captured');
        return this.once(known, `refund ${request.operationKey}`, [request.amount, request.notes], () => {
          if (known.refunded.plus(amount).greaterThan(known.captured)) refuse('CONFLICT_ORDER_STATE');
          known.refunded = known.refunded.plus(amount);
          return this.posted(known, amount);
        });
      },
    });
  }

  private walletOf(owner: string): Wallet {
    return this.shared ?? this.wallets.get(owner) ?? refuse('NOT_FOUND_WALLET');
  }

  private availableIn(wallet: Wallet): Decimal {
    return [...this.reservations.values()]
      .filter((one) => one.wallet === wallet && one.state === 'held')
      .reduce((left, one) => left.minus(one.amount), wallet.posted);
  }

  private post(wallet: Wallet, amount: Decimal): string {
    wallet.posted = wallet.posted.plus(amount);
    return money(wallet.posted);
  }

  private posted({ owner }: Reservation, amount: Decimal) {
    const transactionId = String((this.transactions += 1));
    return { transactionId, balanceAfter: this.post(this.walletOf(owner), amount) };
  }

  private blank(owner: string, wallet: Wallet | undefined, amount = ZERO): Reservation {
    const none = { captured: ZERO, refunded: ZERO, lines: [] };
    return { owner, wallet, amount, state: 'held', ...none, done: new Map(), refunds: new Map() };
  }

  /** The caller's own reservation, in whatever state. */
  private find(request: Named): Reservation | undefined {
    const owner = ownerOf(request);
    if (request.reservationKey === '') refuse('VALIDATION_FAILED');
    const known = this.reservations.get(request.reservationKey);
    return known?.owner === owner ? known : undefined;
  }

  private inState(request: Named, state: State): Reservation {
    const known = this.find(request);
    return known?.state === state ? known : refuse('CONFLICT_ORDER_STATE');
  }

  private held(request: Named): Reservation {
    return this.inState(request, 'held');
  }

  private reserve(request: Named, amount: Decimal, values: string) {
    this.find(request);
    const owner = ownerOf(request);
    const wallet = this.walletOf(owner);
    const known = this.reservations.get(request.reservationKey);
    if (known?.state === 'released') refuse('CONFLICT_ORDER_STATE');
    if (known && (known.owner !== owner || known.done.get('reserve')?.values !== values))
      refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    if (!known) {
      if (this.availableIn(wallet).lessThan(amount)) refuse('BUSINESS_INSUFFICIENT_BALANCE');
      const made = this.blank(owner, wallet, amount);
      made.done.set('reserve', { values, reply: {} });
      this.reservations.set(request.reservationKey, made);
    }
    return { availableBalance: money(this.availableIn(wallet)) };
  }

  private release(request: Named) {
    const own = this.find(request);
    const known = this.reservations.get(request.reservationKey);
    if (known && !own) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    if (known?.captured.greaterThan(0)) refuse('CONFLICT_ORDER_STATE');
    const ended = known ?? this.blank(ownerOf(request), undefined);
    ended.state = 'released';
    this.reservations.set(request.reservationKey, ended);
    return {};
  }

  private settle(request: Named, lines: readonly SettlementLine[], notes: string): SettleOrderResponse {
    const known = this.find(request);
    const isListedTwice = new Set(lines.map(({ lineId }) => lineId)).size < lines.length;
    if (lines.length === 0 || isListedTwice) refuse('VALIDATION_FAILED');
    const wallet = this.walletOf(ownerOf(request));
    const order = known ?? this.blank(ownerOf(request), wallet);
    if (order.state === 'captured' || order.state === 'released') refuse('CONFLICT_ORDER_STATE');
    return this.once(order, 'charge', [lines, notes], () => {
      const charge = sum(lines, 'goodsAmount', 'goodsVatAmount');
      const commission = sum(lines, 'commissionAmount', 'commissionVatAmount');
      if (charge.greaterThan(order.amount)) refuse('CONFLICT_ORDER_STATE');
      this.reservations.set(request.reservationKey, order);
      Object.assign(order, { state: 'settled', captured: charge, lines });
      const settlement = { settledAt: new Date(), balanceAfter: this.post(wallet, commission.minus(charge)) };
      this.settlements.set(request.reservationKey, settlement);
      return settlement;
    });
  }

  private refundUnits(
    request: Named,
    asked: { operationKey: string; lines: readonly RefundedUnits[]; notes: string },
  ) {
    const { operationKey, lines, notes } = asked;
    if (operationKey === '' || lines.some(({ quantity }) => quantity < 1)) refuse('VALIDATION_FAILED');
    const wallet = this.walletOf(ownerOf(request));
    const known = this.inState(request, 'settled');
    return this.once(known, `refund ${operationKey}`, [lines, notes], () => {
      const given = lines.map((one) => giveBack(known, one));
      const refunded = sum(given, 'goodsAmount', 'goodsVatAmount');
      const clawedBack = sum(given, 'commissionAmount', 'commissionVatAmount');
      if (this.availableIn(wallet).plus(refunded).lessThan(clawedBack))
        refuse('BUSINESS_INSUFFICIENT_BALANCE');
      this.post(wallet, refunded.minus(clawedBack));
      known.refunded = known.refunded.plus(refunded);
      const figures = { refundedAmount: money(refunded), clawedBackAmount: money(clawedBack) };
      known.refunds.set(operationKey, { lines, ...figures });
      return { refundedAt: new Date(), ...figures, lines: given };
    });
  }

  /** The first reply of an operation; a repetition must request the same. */
  private once<R extends object>(
    order: Reservation | undefined,
    operation: string,
    request: readonly unknown[],
    work: () => R,
  ): R {
    const values = JSON.stringify(request);
    const known = order?.done.get(operation);
    if (known && known.values !== values) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    const reply = known?.reply ?? work();
    order?.done.set(operation, { values, reply });
    return reply as R;
  }

  private fundsOf(keys: readonly string[]) {
    if (keys.length > 500) refuse('VALIDATION_FAILED');
    const states = {
      held: FundsState.HELD,
      captured: FundsState.CHARGED,
      settled: FundsState.CHARGED,
      released: FundsState.ENDED,
    };
    return keys.flatMap((key) => {
      const known = this.reservations.get(key);
      if (!known) return [];
      const figures = { amount: money(known.amount), captured: money(known.captured) };
      return [{ key, state: states[known.state], ...figures, refunded: money(known.refunded) }];
    });
  }

  private fundedKeys(after: string, limit: number): string[] {
    if (limit < 1 || limit > 500) refuse('VALIDATION_FAILED');
    return [...this.reservations]
      .filter(([key, { state }]) => key > after && state !== 'released')
      .map(([key]) => key)
      .sort()
      .slice(0, limit);
  }
}

/** The display rate of every currency. */
export const FAKE_RATE = '0.266600';

const sum = (lines: readonly SettlementLine[], ...figures: Figure[]): Decimal =>
  lines.reduce((all, line) => figures.reduce((part, figure) => part.plus(line[figure]), all), ZERO);

/** Units of a line with their share of each figure, by cumulative difference. */
function giveBack({ lines, refunds }: Reservation, { lineId, quantity }: RefundedUnits): SettlementLine {
  const line = lines.find((one) => one.lineId === lineId);
  const before = [...refunds.values()]
    .flatMap((refund) => refund.lines)
    .reduce((units, one) => units + (one.lineId === lineId ? one.quantity : 0), 0);
  if (!line || before + quantity > line.quantity) return refuse('CONFLICT_ORDER_STATE');
  const upTo = (figure: Figure, units: number): Decimal =>
    decimal(money(decimal(line[figure]).times(units).dividedBy(line.quantity)));
  const share = (figure: Figure): string =>
    money(upTo(figure, before + quantity).minus(upTo(figure, before)));
  return {
    lineId,
    quantity,
    goodsAmount: share('goodsAmount'),
    goodsVatAmount: share('goodsVatAmount'),
    commissionAmount: share('commissionAmount'),
    commissionVatAmount: share('commissionVatAmount'),
  };
}
