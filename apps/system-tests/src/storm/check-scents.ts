import { isDeepStrictEqual } from 'node:util';
import type { ApiResponse } from '../clients/response';
import { halalas } from '../clients/bodies';
import { lineMoney, shareOf, totalsOf, type LineMoney } from '../clients/scent-arithmetic';
import type { DiscountCodeView, ScentOrder, ShelfVariant } from '../clients/scents';
import type { ScentBooks } from './books';
import type { Customer, Round, ScentStormBody, ScentStormPlan } from './scent-plan';

const TERMS = { commissionBasisPoints: 1_050, isVatRegistered: true };

/** One send of a customer as it was lived. */
export interface ScentLogEntry {
  readonly customer: Customer;
  readonly round: Round;
  readonly body: ScentStormBody;
  readonly sentAt: number;
  respondedAt: number;
  /** Undefined while, or when, there was no response at all. */
  response: ApiResponse<ScentOrder> | undefined;
}

/** What is compared: one partner's rounds, what its customers know, and the books. */
interface ScentCheck {
  readonly plan: ScentStormPlan;
  /** Which partner. */
  readonly at: number;
  readonly books: ScentBooks;
  readonly log: readonly ScentLogEntry[];
  readonly goods: readonly ShelfVariant[];
  readonly code: DiscountCodeView;
}

/** Compares the books with a model that lives through the rounds one by one; returns every difference in words. */
export function checkScents(input: ScentCheck): string[] {
  const { plan, at, books } = input;
  const faults: string[] = [];
  const known = new Set<string>();
  for (const { rounds } of plan.customers.filter(({ partner }) => partner === at)) {
    for (const round of rounds) {
      const references = new Set(round.bodies.map(({ reference }) => reference));
      const orders = books.orders.filter(({ externalReference }) => references.has(externalReference));
      const name = round.bodies[0]!.reference;
      if (orders.length > 1) faults.push(`${name}: ${orders.length} orders of one cart`);
      for (const order of orders) {
        known.add(order.id);
        faults.push(...checkOrder(input, round, order).map((fault) => `${name}: ${fault}`));
      }
      faults.push(...checkResponses(input, round, orders).map((fault) => `${name}: ${fault}`));
    }
  }
  if (known.size !== books.orders.length) faults.push('there are orders that nobody sent');
  return [...new Set([...faults, ...checkMoney(input)])];
}

/** The money of an order's lines as the round requested them. */
function moneyOf({ goods, plan }: ScentCheck, { lines }: Round, hasCode: boolean): LineMoney[] {
  return lines.map(([variant, quantity]) => {
    const { listPrice, taxClassification } = goods[variant]!;
    const price = halalas(listPrice);
    const discountShare = hasCode ? shareOf(price * quantity, plan.percentBasisPoints) : 0;
    const isZeroRated = taxClassification === 'ZERO';
    return lineMoney({ listPrice: price, quantity, isZeroRated, discountShare }, TERMS);
  });
}

function checkOrder(input: ScentCheck, round: Round, order: ScentOrder): string[] {
  const body = round.bodies.find(
    ({ reference, city }) => reference === order.externalReference && city === order.shippingAddress['city'],
  );
  if (!body) return ['its order has none of the bodies that were sent'];
  const money = moneyOf(input, round, body.hasCode);
  const { charged, credited } = totalsOf(money);
  const { lines } = input.books;
  const mine = lines.filter(({ referenceId }) => referenceId === order.orderGlobalId);
  return differences(
    {
      status: order.status,
      lines: order.lines.map((line) => `${line.quantity} of ${line.variantId}`).join(),
      code: order.discountCode,
      charged: halalas(order.totalAmountWithVat),
      credited: halalas(order.totalCommissionWithVat),
      goods: order.lines.map(({ lineTotal }) => halalas(lineTotal)).join(),
      ledger: mine.map((line) => `${line.referenceType} ${halalas(line.amount)}`).join(),
      events: input.books.events.get(order.id)?.join(),
    },
    {
      status: 'Processing',
      lines: round.lines.map(([variant, quantity]) => `${quantity} of ${input.goods[variant]!.id}`).join(),
      code: body.hasCode ? input.code.code.toUpperCase() : null,
      charged,
      credited,
      goods: money.map(({ goods }) => goods).join(),
      ledger: `Commission ${credited},Order ${charged}`,
      events: 'OrderProcessingStarted',
    },
  );
}

/** Every response that a customer ever got must fit the one order of its round, or that there is none. */
function checkResponses(input: ScentCheck, round: Round, orders: readonly ScentOrder[]): string[] {
  const entries = input.log.filter((entry) => entry.round === round);
  const firstOk = Math.min(
    ...entries.filter(({ response }) => response?.status === 200).map(({ respondedAt }) => respondedAt),
  );
  return entries.flatMap((entry) => {
    const fault = judge(input, entry, { orders, isAfterAcknowledgement: entry.sentAt > firstOk });
    if (!fault) return [];
    const { body, response } = entry;
    const sent = `${body.reference} ${body.city}${body.hasCode ? ' with code' : ''}`;
    return [`${sent} returned ${response?.status} ${response?.state}: ${fault}`];
  });
}

function judge(
  { plan, at, goods }: ScentCheck,
  { body, round, response }: ScentLogEntry,
  { orders, isAfterAcknowledgement }: { orders: readonly ScentOrder[]; isAfterAcknowledgement: boolean },
): string | undefined {
  if (!response || response.status >= 500) return undefined;
  const order = orders.find(({ externalReference }) => externalReference === body.reference);
  const isItsBody = order?.shippingAddress['city'] === body.city;
  if (response.status === 200) {
    if (!order) return 'acknowledged, and there is no such order';
    return isDeepStrictEqual(response.payload, order) ? undefined : 'the order is not what was acknowledged';
  }
  if (isAfterAcknowledgement && order) {
    if (isItsBody) return 'not repeated after it was acknowledged';
    return response.state === 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE'
      ? undefined
      : 'no duplicate of its order';
  }
  const hasRivals = round.bodies.length > 1;
  switch (response.state) {
    case 'CONFLICT_ORDER_IN_PROGRESS':
      return undefined;
    case 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE':
      return round.bodies.filter(({ reference }) => reference === body.reference).length > 1
        ? undefined
        : 'called a duplicate of itself';
    case 'CONFLICT_CART_HAS_PENDING_ORDER':
    case 'CONFLICT_CART_CHECKOUT_RACE':
    case 'BUSINESS_CART_EMPTY':
      return hasRivals && !(isItsBody && response.state === 'BUSINESS_CART_EMPTY')
        ? undefined
        : 'its cart was taken by nobody else';
    case 'BUSINESS_INSUFFICIENT_BALANCE':
      return at === plan.deposits.length - 1 ? undefined : 'refused though the money was there';
    case 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE':
      return body.hasCode && (response.details as { reason?: string }).reason === 'UsageCapReached'
        ? undefined
        : 'refused for its code without a reason';
    case 'BUSINESS_INSUFFICIENT_STOCK':
      return round.lines.some(([variant]) => mayRunOut(plan, variant, goods))
        ? undefined
        : 'refused though the units were there';
    default:
      return 'a response that no customer may get';
  }
}

/** Whether all rounds together ask for more than there is. */
function mayRunOut(
  { customers, stocks }: ScentStormPlan,
  variant: number,
  goods: readonly ShelfVariant[],
): boolean {
  const wanted = customers
    .flatMap(({ rounds }) => rounds)
    .flatMap(({ lines }) => lines)
    .filter(([one]) => goods[one]!.id === goods[variant]!.id)
    .reduce((sum, [, quantity]) => sum + quantity, 0);
  return wanted > stocks[variant]!;
}

function checkMoney(input: ScentCheck): string[] {
  const { plan, at, books } = input;
  const spent = books.orders.reduce(
    (sum, order) => sum + halalas(order.totalAmountWithVat) - halalas(order.totalCommissionWithVat),
    0,
  );
  const withCode = books.orders.filter(({ discountCode }) => discountCode !== null).length;
  const left = plan.deposits[at]! - spent;
  return differences(
    {
      balance: halalas(books.balance.currentBalance),
      available: halalas(books.balance.availableBalance),
      lines: books.lines.length,
      walletIsItsEntries: books.wallet.posted === books.wallet.entries,
      heldIsItsReservations: books.wallet.held === books.wallet.active,
      wasOverdrawn: books.lines.some(({ balanceAfter }) => balanceAfter < 0),
      redemptions: books.redemptions,
      slots: books.pendingSlots,
      isWithinTheCap: books.redemptions <= plan.cap,
      committed: books.committedCarts,
      begun: books.begunCheckouts,
      frozen: books.frozenCarts,
      activeSagas: books.activeSagas,
      unbalanced: books.unbalanced,
    },
    {
      balance: left,
      available: left,
      lines: 1 + 2 * books.orders.length,
      walletIsItsEntries: true,
      heldIsItsReservations: true,
      wasOverdrawn: false,
      redemptions: withCode,
      slots: 0,
      isWithinTheCap: true,
      committed: books.orders.length,
      begun: 0,
      frozen: 0,
      activeSagas: 0,
      unbalanced: 0,
    },
  );
}

function differences<T extends object>(actual: T, expected: T): string[] {
  return (Object.keys(expected) as (keyof T)[])
    .filter((name) => actual[name] !== expected[name])
    .map((name) => `${String(name)} is ${String(actual[name])}, the model says ${String(expected[name])}`);
}
