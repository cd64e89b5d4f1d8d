import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { halalas } from '../clients/bodies';
import { insistOn } from '../clients/insist';
import type { OperatorClient, TestPartner } from '../clients/operator-client';
import {
  addToCart,
  newScentOrder,
  orderScents,
  readCart,
  readScentOrder,
  scentOrdersOf,
  type DiscountCodeView,
  type ScentBody,
  type ScentOrder,
  type Shelf,
  type ShelfVariant,
} from '../clients/scents';
import { lineMoney, totalsOf } from '../clients/scent-arithmetic';
import { killService, pidOf, whileStopped } from '../platform/processes';
import { findFaults, type CellOutcome } from './cell-outcome';
import { untilDead, type CrashFile } from './crash-file';
import type { CellResult } from './run-cell';
import { until } from '../until';

/** What the books say of the one checkout of a cell; `deliveries` is how often its units left the shelf. */
interface ScentOutcome extends CellOutcome {
  readonly commissions: number;
  readonly clawbacks: number;
  readonly redemptions: number;
  readonly reserved: number;
  /** What is left to buy of the cart. */
  readonly cartLines: number;
}

/** What a cell works with. */
export interface ScentStage {
  readonly operator: OperatorClient;
  readonly partner: TestPartner;
  /** What is sent, also to repeat it; a cell may add to it before it sends it first. */
  body: ScentBody & { readonly customerRef: string };
}

/** One line of the matrix for a cart that is checked out. */
export interface ScentCell {
  readonly crash: string;
  readonly victim: string;
  /** Whether the wallet does not cover the cart at first. */
  readonly isShort: boolean;
  /** Has something die; returns how often. */
  strike(stage: ScentStage): Promise<number>;
  /** What must be left when more than a checkout happened: made of the order and of what its checkout alone leaves. */
  expects?(order: ScentOrder, paid: ScentOutcome): ScentOutcome;
}

const DEPOSIT = 100_000;
const QUANTITIES = [3, 2];
const COMMISSION = 0.1;

/** Runs one cell on a fresh partner and its cart, and compares money, stock, cart and responses with what they must be. */
export async function runScentCell(
  operator: OperatorClient,
  shelf: Shelf,
  cell: ScentCell,
): Promise<CellResult> {
  const startedAt = performance.now();
  const { crash, victim, isShort } = cell;
  let [restarts, outcome, faults] = [0, undefined as ScentOutcome | undefined, [] as string[]];
  try {
    const goods = await stock(shelf);
    const partner = await operator.newPartner({
      deposit: isShort ? 0 : DEPOSIT,
      settings: { commissionRate: COMMISSION },
    });
    const customerRef = `cell-${randomUUID()}`;
    for (const [at, { id }] of goods.entries())
      await addToCart(partner.live, id, QUANTITIES[at]!, customerRef);
    const stage: ScentStage = { operator, partner, body: newScentOrder({ customerRef }) };
    const pid = pidOf(victim);
    restarts = await cell.strike(stage);
    if (isShort) await operator.credit(partner.id, 'live', DEPOSIT);
    // What is recorded may still be on its way; what is there once too often stays.
    const isQuiet = performance.now() + QUIET_MS;
    do {
      const [order, isRepeated] = await settle(stage);
      outcome = { ...(await readBooks(stage, shelf, goods)), isRepeated };
      faults = findFaults(outcome, expectedOf(cell, goods, order));
    } while (faults.length > 0 && performance.now() < isQuiet);
    if (restarts > 0 && pidOf(victim) === pid) faults.push(`${victim} never died`);
  } catch (error) {
    faults = [error instanceof Error ? error.message : String(error)];
  }
  return {
    crash,
    product: 'Scent',
    restarts,
    outcome,
    faults,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Two variants with and without VAT, of which there are enough. */
async function stock(shelf: Shelf): Promise<ShelfVariant[]> {
  const all = await shelf.onOffer();
  const chosen = ['STANDARD', 'ZERO'].map((tax) =>
    all.find(({ taxClassification }) => taxClassification === tax)!,
  );
  return Promise.all(chosen.map(({ id }) => shelf.set(id, { stockOnHand: 100, cost: 0 })));
}

/** Repeats the create as a partner would; returns whether what was acknowledged is what is read and repeated. */
async function settle({ partner, body }: ScentStage): Promise<[ScentOrder, boolean]> {
  const first = await insistOn(() => orderScents(partner.live, body));
  const read = await readScentOrder(partner.live, first.id);
  const again = await insistOn(() => orderScents(partner.live, body));
  return [first, isDeepStrictEqual(first, read) && isDeepStrictEqual(first, again)];
}

async function readBooks(
  { partner: { live }, body }: ScentStage,
  shelf: Shelf,
  goods: readonly ShelfVariant[],
): Promise<Omit<ScentOutcome, 'isRepeated'>> {
  const orders = await scentOrdersOf(live);
  const [lines, balance, cart] = [
    await live.transactions(),
    await live.balance(),
    await readCart(live, body.customerRef),
  ];
  const codes = await live.all<DiscountCodeView>('/scent/discount-codes');
  const read = await Promise.all(goods.map(({ id }) => shelf.read(id)));
  const levelsOf = (name: string) =>
    read.flatMap(({ stock }) => stock.filter(({ environment }) => environment === name));
  // A unit that left the sandbox's shelf counts as a reservation that nobody ended.
  const astray = levelsOf('sandbox').reduce(
    (sum, level) => sum + 100 - level.stockOnHand + level.stockReserved,
    0,
  );
  const shelves = levelsOf('live');
  const taken = shelves.map(({ stockOnHand }, at) => (100 - stockOnHand) / QUANTITIES[at]!);
  const count = (type: string, reference: string): number =>
    lines.filter((line) => line.transactionType === type && line.referenceType === reference).length;
  return {
    orders: orders.length,
    status: orders[0]?.status ?? 'none',
    charges: count('Debit', 'Order'),
    commissions: count('Credit', 'Commission'),
    clawbacks: count('Debit', 'CommissionClawback'),
    redemptions: codes.reduce((sum, { usageCount }) => sum + usageCount, 0),
    refunds: count('Credit', 'Refund'),
    deliveries: Math.max(...taken) === Math.min(...taken) ? taken[0]! : Number.NaN,
    reserved: shelves.reduce((sum, { stockReserved }) => sum + stockReserved, astray),
    cartLines: cart.items.length,
    held: halalas(balance.currentBalance) - halalas(balance.availableBalance),
    spent: halalas(DEPOSIT) - halalas(balance.currentBalance),
  };
}

const QUIET_MS = 10_000;

function expectedOf(cell: ScentCell, goods: readonly ShelfVariant[], order: ScentOrder): ScentOutcome {
  const paid = expected(goods);
  if (!cell.expects) return paid;
  const spent = halalas(order.totalAmountWithVat) - halalas(order.totalCommissionWithVat);
  return cell.expects(order, { ...paid, spent, redemptions: order.discountCode === null ? 0 : 1 });
}

function expected(goods: readonly ShelfVariant[]): ScentOutcome {
  const money = goods.map(({ listPrice, taxClassification }, at) =>
    lineMoney(
      {
        listPrice: halalas(listPrice),
        quantity: QUANTITIES[at]!,
        isZeroRated: taxClassification === 'ZERO',
      },
      { commissionBasisPoints: COMMISSION * 10_000, isVatRegistered: false },
    ),
  );
  const { charged, credited } = totalsOf(money);
  return {
    orders: 1,
    status: 'Processing',
    charges: 1,
    commissions: 1,
    clawbacks: 0,
    redemptions: 0,
    refunds: 0,
    deliveries: 1,
    reserved: 0,
    cartLines: 0,
    held: 0,
    spent: charged - credited,
    isRepeated: true,
  };
}

/** Sends the create and lets it fail: its response is lost with the process. */
export async function createInVain({ partner, body }: ScentStage): Promise<void> {
  await orderScents(partner.live, body).catch(() => undefined);
}

/** Longer than a lease of 15 seconds. */
const PAST_THE_LEASE_MS = 16_000;
/** Recovery takes the order up within two seconds, and its call with it. */
const TAKEN_UP_MS = 3_000;

/**
 * Has orders-saga die right before a call, and the service it goes to stand still until recovery has made that call;
 * then it dies with the call in its hands, or goes on past the lease. Returns how often it died.
 */
export async function whileDying(
  stage: ScentStage,
  strike: { service: string; point: string; how: 'SIGKILL' | 'SIGSTOP'; crashFile: CrashFile },
): Promise<number> {
  const { service, point, how, crashFile } = strike;
  const pid = pidOf(service);
  crashFile.arm(point);
  const lost = createInVain(stage);
  await untilDead(point, crashFile);
  if (service === 'postgres' || service === 'gateway') {
    await killService(service);
    await lost;
    return 1;
  }
  if (how === 'SIGSTOP') {
    await until(`${service} runs`, () => service !== 'orders-saga' || pidOf(service) !== pid);
    await whileStopped(service, () => pause(PAST_THE_LEASE_MS));
    await lost;
    return 0;
  }
  process.kill(pid, 'SIGSTOP');
  await pause(TAKEN_UP_MS);
  await killService(service);
  await lost;
  return 1;
}
