import {
  FundsServiceService,
  FundsState,
  OrderFundsServiceService,
  RateServiceService,
  SettlementServiceService,
  WalletServiceService,
  type DisplayRate,
  type OperatorDecision,
  type RefundedUnits,
  type RefundUnitsRequest,
  type RefundUnitsResponse,
  type SettlementLine,
  type SettleOrderRequest,
  type SettleOrderResponse,
} from '@reseller/contracts';
import { Decimal, decimal, toFixedString } from '@reseller/money';
import { Fake } from '../fakes/fake';
import { keysAfter, ownerOf, refuse, type Owner } from '../fakes/state';

type Named = Owner & Pick<SettleOrderRequest, 'reservationKey'>;

/** What one operation key gave back. */
export type FakeRefund = Pick<RefundUnitsRequest, 'lines'> &
  Pick<RefundUnitsResponse, 'refundedAmount' | 'clawedBackAmount'>;

interface Wallet {
  posted: Decimal;
  displayRate: DisplayRate | undefined;
}

/** The display rate of every currency. */
const FAKE_RATE = '0.266600';

const ZERO = new Decimal(0);
const FUNDS_STATES = {
  held: FundsState.HELD,
  captured: FundsState.CHARGED,
  settled: FundsState.CHARGED,
  released: FundsState.ENDED,
};
type State = keyof typeof FUNDS_STATES;
const FIGURES = ['goodsAmount', 'goodsVatAmount', 'commissionAmount', 'commissionVatAmount'] as const;
type Figure = (typeof FIGURES)[number];

const money = (value: Decimal): string => toFixedString(value, 2);
const sum = (lines: readonly SettlementLine[], ...figures: Figure[]): Decimal =>
  lines.reduce((all, line) => figures.reduce((part, figure) => part.plus(line[figure]), all), ZERO);

/** The money of one order. */
class Order {
  state: State = 'held';
  captured = ZERO;
  refunded = ZERO;
  lines: readonly SettlementLine[] = [];
  readonly refunds = new Map<string, FakeRefund>();
  private readonly done = new Map<string, { values: string; reply: object }>();

  constructor(
    readonly owner: string,
    readonly wallet: Wallet | undefined,
    readonly amount = ZERO,
  ) {}

  /** The first reply of an operation; a repetition must request the same. */
  once<R extends object>(operation: string, request: readonly unknown[], work: () => R): R {
    const values = JSON.stringify(request);
    const known = this.done.get(operation);
    if (known && known.values !== values) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    const reply = known?.reply ?? work();
    this.done.set(operation, { values, reply });
    return reply as R;
  }

  require(...states: State[]): this {
    return states.includes(this.state) ? this : refuse('CONFLICT_ORDER_STATE');
  }

  /** Units of a line with their share of each figure, by cumulative difference. */
  giveBack({ lineId, quantity }: RefundedUnits): SettlementLine {
    const line = this.lines.find((one) => one.lineId === lineId);
    const before = [...this.refunds.values()]
      .flatMap((refund) => refund.lines)
      .reduce((units, one) => units + (one.lineId === lineId ? one.quantity : 0), 0);
    if (!line || before + quantity > line.quantity) return refuse('CONFLICT_ORDER_STATE');
    const upTo = (figure: Figure, units: number): Decimal =>
      decimal(money(decimal(line[figure]).times(units).dividedBy(line.quantity)));
    const share = (figure: Figure): string =>
      money(upTo(figure, before + quantity).minus(upTo(figure, before)));
    const shares = FIGURES.map((figure) => [figure, share(figure)] as const);
    return { lineId, quantity, ...(Object.fromEntries(shares) as Record<Figure, string>) };
  }
}

/** finance's wallets, reservations and settlements in memory, held to the same contract as finance (test/fake-finance.spec.ts). */
export class FakeFinance extends Fake {
  protected override readonly isValidating = true;
  private readonly orders = new Map<string, Order>();
  private readonly decisions = new Map<string, (OperatorDecision | undefined)[]>();
  /** The reply to each order that was settled. */
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
      settleOrder: (request) => this.settle(this.noteDecision(request)),
      refundUnits: (request) => this.refundUnits(this.noteDecision(request)),
    });
    this.on(OrderFundsServiceService, {
      listOrderFunds: ({ keys }) => ({ funds: this.fundsOf(keys) }),
      listFundedKeys: ({ afterKey, limit }) => ({
        keys: keysAfter(this.orders, afterKey, limit, 'released'),
      }),
    });
    this.on(RateServiceService, { getRate: () => ({ rate: FAKE_RATE }) });
  }

  /** Opens a wallet with so much in it. */
  fund(owner: Owner, amount: string, displayRate?: DisplayRate): void {
    this.wallets.set(ownerOf(owner), { posted: decimal(amount), displayRate });
  }

  /** Sets the display rate of everybody's wallet. */
  setDisplayRate(displayRate: DisplayRate | undefined): void {
    (this.shared ?? refuse('NOT_FOUND_WALLET')).displayRate = displayRate;
  }

  /** What could be spent of a wallet: an owner's, or the one that everybody has. */
  available(of?: Owner): string {
    return money(this.availableIn(this.walletOf(of ? ownerOf(of) : '')));
  }

  /** How many orders stand so, of one owner or of all. */
  count(state: State, of?: Owner): number {
    return this.ordersOf(of).filter((one) => one.state === state).length;
  }

  /** How many orders are charged and not refunded in full, of one owner or of all. */
  charges(of?: Owner): number {
    return this.ordersOf(of).filter((one) => one.captured.greaterThan(one.refunded)).length;
  }

  /** What an order was given back, by operation key. */
  refundsOf(reservationKey: string): ReadonlyMap<string, FakeRefund> {
    return this.orders.get(reservationKey)?.refunds ?? new Map<string, FakeRefund>();
  }

  /** Whose decision each call followed from that moved an order's money; undefined where it was nobody's. */
  decisionsOf(reservationKey: string): readonly (OperatorDecision | undefined)[] {
    return this.decisions.get(reservationKey) ?? [];
  }

  /** Puts a reservation there without a call, or takes it away; returns what puts it back as it was. */
  put(key: string, given?: { amount: string; state: 'held' | 'captured' | 'released' }): () => void {
    const was = this.orders.get(key);
    const set = (one: Order | undefined): unknown =>
      one ? this.orders.set(key, one) : this.orders.delete(key);
    const order = new Order('nobody', this.shared, decimal(given?.amount ?? '0'));
    const captured = given?.state === 'captured' ? order.amount : ZERO;
    set(given && Object.assign(order, { state: given.state, captured }));
    return () => void set(was);
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
        return { currentBalance: money(wallet.posted), ...this.spendable(wallet) };
      },
    });
  }

  private serveFunds(): void {
    this.on(FundsServiceService, {
      checkFunds: (request) => ({ currency: 'SAR', ...this.spendable(this.walletOf(ownerOf(request))) }),
      reserveFunds: ({ orderGlobalId, pinned, amount, ...request }) =>
        this.reserve(request, decimal(amount), [orderGlobalId, pinned, amount]),
      pinReservation: (request) => {
        this.find(request).require('held');
        return {};
      },
      captureFunds: ({ amount, ...request }) => {
        this.noteDecision(request);
        const charge = decimal(amount);
        const order = this.find(request);
        return order.once('charge', [amount], () => {
          if (charge.greaterThan(order.require('held').amount)) refuse('CONFLICT_ORDER_STATE');
          Object.assign(order, { state: 'captured', captured: charge });
          return this.posted(order, charge.negated());
        });
      },
      releaseFunds: (request) => this.release(request),
      refundFunds: ({ operationKey, amount, ...request }) => {
        this.noteDecision(request);
        const refund = decimal(amount);
        const order = this.find(request).require('captured');
        return order.once(`refund ${operationKey}`, [amount], () => {
          if (order.refunded.plus(refund).greaterThan(order.captured)) refuse('CONFLICT_ORDER_STATE');
          order.refunded = order.refunded.plus(refund);
          return this.posted(order, refund);
        });
      },
    });
  }

  private noteDecision<T extends { reservationKey: string; decidedBy?: OperatorDecision | undefined }>(
    request: T,
  ): T {
    const { reservationKey, decidedBy } = request;
    this.decisions.set(reservationKey, [...this.decisionsOf(reservationKey), decidedBy]);
    return request;
  }

  private ordersOf(of?: Owner): Order[] {
    return [...this.orders.values()].filter(({ owner }) => !of || owner === ownerOf(of));
  }

  private walletOf(owner: string): Wallet {
    return this.shared ?? this.wallets.get(owner) ?? refuse('NOT_FOUND_WALLET');
  }

  private availableIn(wallet: Wallet): Decimal {
    return [...this.orders.values()]
      .filter((one) => one.wallet === wallet && one.state === 'held')
      .reduce((left, one) => left.minus(one.amount), wallet.posted);
  }

  private spendable(wallet: Wallet) {
    return { availableBalance: money(this.availableIn(wallet)), displayRate: wallet.displayRate };
  }

  private post(wallet: Wallet, amount: Decimal): string {
    wallet.posted = wallet.posted.plus(amount);
    return money(wallet.posted);
  }

  private posted({ owner }: Order, amount: Decimal) {
    const transactionId = String((this.transactions += 1));
    return { transactionId, balanceAfter: this.post(this.walletOf(owner), amount) };
  }

  /** The caller's own order. */
  private find(request: Named): Order {
    const owner = ownerOf(request);
    const known = this.orders.get(request.reservationKey);
    return known?.owner === owner ? known : refuse('CONFLICT_ORDER_STATE');
  }

  private reserve(request: Named, amount: Decimal, values: readonly unknown[]) {
    const owner = ownerOf(request);
    const known = this.orders.get(request.reservationKey);
    const wallet = this.walletOf(owner);
    if (known?.state === 'released') refuse('CONFLICT_ORDER_STATE');
    if (known && known.owner !== owner) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    if (!known && this.availableIn(wallet).lessThan(amount)) refuse('BUSINESS_INSUFFICIENT_BALANCE');
    const order = known ?? new Order(owner, wallet, amount);
    order.once('reserve', values, () => ({}));
    this.orders.set(request.reservationKey, order);
    return { ...this.spendable(wallet), hasDisplayRate: true };
  }

  private release(request: Named) {
    const owner = ownerOf(request);
    const known = this.orders.get(request.reservationKey);
    if (known && known.owner !== owner) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    if (known?.captured.greaterThan(0)) refuse('CONFLICT_ORDER_STATE');
    this.orders.set(
      request.reservationKey,
      Object.assign(known ?? new Order(owner, undefined), { state: 'released' }),
    );
    return {};
  }

  private settle({ lines, ...request }: SettleOrderRequest): SettleOrderResponse {
    const owner = ownerOf(request);
    const known = this.orders.get(request.reservationKey);
    const wallet = this.walletOf(owner);
    const order = (known?.owner === owner ? known : new Order(owner, wallet)).require('held', 'settled');
    return order.once('charge', [lines], () => {
      const charge = sum(lines, 'goodsAmount', 'goodsVatAmount');
      const commission = sum(lines, 'commissionAmount', 'commissionVatAmount');
      if (charge.greaterThan(order.amount)) refuse('CONFLICT_ORDER_STATE');
      this.orders.set(
        request.reservationKey,
        Object.assign(order, { state: 'settled', captured: charge, lines }),
      );
      const settlement = { settledAt: new Date(), balanceAfter: this.post(wallet, commission.minus(charge)) };
      this.settlements.set(request.reservationKey, settlement);
      return settlement;
    });
  }

  private refundUnits({ operationKey, lines, ...request }: RefundUnitsRequest) {
    const wallet = this.walletOf(ownerOf(request));
    const order = this.find(request).require('settled');
    return order.once(`refund ${operationKey}`, [lines], () => {
      const units = lines.map((one) => order.giveBack(one));
      const refunded = sum(units, 'goodsAmount', 'goodsVatAmount');
      const clawedBack = sum(units, 'commissionAmount', 'commissionVatAmount');
      const spendable = this.availableIn(wallet).plus(refunded);
      if (spendable.lessThan(clawedBack)) refuse('BUSINESS_INSUFFICIENT_BALANCE');
      this.post(wallet, refunded.minus(clawedBack));
      order.refunded = order.refunded.plus(refunded);
      const figures = { refundedAmount: money(refunded), clawedBackAmount: money(clawedBack) };
      order.refunds.set(operationKey, { lines, ...figures });
      return { refundedAt: new Date(), ...figures, lines: units };
    });
  }

  private fundsOf(keys: readonly string[]) {
    return keys.flatMap((key) => {
      const order = this.orders.get(key);
      if (!order) return [];
      const [amount, captured, refunded] = [order.amount, order.captured, order.refunded].map(money);
      return [{ key, state: FUNDS_STATES[order.state], amount, captured, refunded }];
    });
  }
}
