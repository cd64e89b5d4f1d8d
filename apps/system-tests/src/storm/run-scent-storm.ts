import { setTimeout as pause } from 'node:timers/promises';
import { halalas } from '../clients/bodies';
import type { ApiResponse } from '../clients/response';
import { expectSuccess } from '../clients/response';
import type { OperatorClient, TestPartner } from '../clients/operator-client';
import type { PartnerClient } from '../clients/partner-client';
import { shareOf } from '../clients/scent-arithmetic';
import {
  addToCart,
  clearCart,
  newDiscountCode,
  newScentOrder,
  orderScents,
  quoteUnit,
  readCart,
  Shelf,
  type DiscountCodeView,
  type ScentOrder,
  type ShelfVariant,
} from '../clients/scents';
import type { CrashPlatform } from '../crash/crash-platform';
import { until } from '../until';
import { readScentBooks } from './books';
import { checkScents, type ScentLogEntry } from './check-scents';
import { checkDecided, decideScents, restocked, type ScentDecision } from './decide-scents';
import { befall } from './faults';
import { Random } from './random';
import type { StormResult } from './run-storm';
import {
  planScentStorm,
  type Customer,
  type Round,
  type ScentStormBody,
  type ScentStormPlan,
} from './scent-plan';

const COMMISSION_BASIS_POINTS = 1_050;
const QUIET_MS = 60_000;
const AGREED_MS = 20_000;

interface ScentStorm {
  readonly plan: ScentStormPlan;
  readonly partners: readonly TestPartner[];
  readonly codes: readonly DiscountCodeView[];
  readonly goods: readonly ShelfVariant[];
  readonly log: ScentLogEntry[];
}

/** Runs one seed of checkouts on a running platform: shops and faults at once, then quiet, then the books. */
export async function runScentStorm(
  seed: number,
  platform: CrashPlatform,
  operator: OperatorClient,
): Promise<StormResult> {
  const startedAt = performance.now();
  const random = new Random(seed);
  const storm = await prepare(planScentStorm(seed, random), operator);
  const { plan, log } = storm;
  let isOver = false;
  const shopping = Promise.all(plan.customers.map((customer) => shop(storm, customer))).finally(
    () => (isOver = true),
  );
  await Promise.all([shopping, befall(plan.faults, platform.crashFile, () => isOver)]);
  platform.crashFile.disarm();

  const shelf = new Shelf(operator);
  const faults: string[] = [];
  const decisions = new Map<string, ScentDecision>();
  for (const [at, partner] of storm.partners.entries()) {
    const client = partner[plan.environment];
    const books = await until(
      'no checkout is under way',
      async () => {
        const read = await readScentBooks(partner.id, plan.environment, client);
        return read.activeSagas === 0 && read.begunCheckouts === 0 && read;
      },
      QUIET_MS,
    );
    await repeatAcknowledged(storm, at);
    const found = checkScents({ plan, at, books, log, goods: storm.goods, code: storm.codes[at]! });
    faults.push(...found.map((fault) => `partner ${at}: ${fault}`));
    const made = await decideScents(operator, client, { random, crashFile: platform.crashFile });
    for (const [id, decision] of made) decisions.set(id, decision);
    const left = await untilAgreed(async () =>
      checkDecided(books, await readScentBooks(partner.id, plan.environment, client), made),
    );
    faults.push(...left.map((fault) => `partner ${at}, after decisions: ${fault}`));
  }
  const orders = new Set(log.filter(isAcknowledged).map(({ response }) => response!.payload.id)).size;
  faults.push(...(await untilAgreed(() => checkShelf(storm, shelf, decisions))));
  for (const { id, stockOnHand, cost } of storm.goods) await shelf.set(id, { stockOnHand, cost });
  return {
    seed,
    sends: log.length,
    orders,
    refused: log.filter(({ response }) => response?.status === 422).length,
    seconds: (performance.now() - startedAt) / 1000,
    faults,
  };
}

/** Returns the goods as they were before, for putting them back. */
async function prepare(plan: ScentStormPlan, operator: OperatorClient): Promise<ScentStorm> {
  const shelf = new Shelf(operator);
  const all = await shelf.onOffer();
  const goods = plan.stocks.map((_, at) => all[at * 7]!);
  for (const [at, { id }] of goods.entries()) await shelf.set(id, { stockOnHand: plan.stocks[at]!, cost: 0 });
  const settings = { commissionRate: COMMISSION_BASIS_POINTS / 10_000, isVatRegistered: true };
  const partners = await Promise.all(
    plan.deposits.map((deposit) =>
      operator.newPartner({
        deposit: deposit / 100,
        settings: { ...settings, taxRegistrationNumber: '300000000000003' },
      }),
    ),
  );
  // Who prices may still be coming back from the storm before, and see a new partner's terms a little later.
  for (const partner of partners)
    await until('the partner is priced by its own terms', () =>
      isPricedByTerms(partner[plan.environment], goods[0]!),
    );
  const codes = await Promise.all(
    partners.map((partner) =>
      newDiscountCode(partner[plan.environment], {
        value: plan.percentBasisPoints / 100,
        totalUsageCap: plan.cap,
      }),
    ),
  );
  return { plan, partners, codes, goods, log: [] };
}

async function isPricedByTerms(client: PartnerClient, { id, listPrice }: ShelfVariant): Promise<boolean> {
  const { lineCommission } = await quoteUnit(client, id);
  return halalas(lineCommission) === shareOf(halalas(listPrice), COMMISSION_BASIS_POINTS);
}

/** A customer shops: fills the cart, sends everything for it at once, and goes on when each response was final. */
async function shop(storm: ScentStorm, customer: Customer): Promise<void> {
  const client = storm.partners[customer.partner]![storm.plan.environment];
  for (const round of customer.rounds) {
    await until(`the cart of ${customer.customerRef} is filled`, () => fill(storm, client, customer, round));
    await Promise.all(round.sends.map((body) => insist(storm, customer, round, body, 3)));
    for (const body of round.bodies) await insist(storm, customer, round, body, 300);
  }
}

/** True once the cart holds exactly the round's lines; an add whose response was lost may have counted. */
async function fill(
  { goods }: ScentStorm,
  client: PartnerClient,
  { customerRef }: Customer,
  { lines }: Round,
): Promise<boolean> {
  expectSuccess(await clearCart(client, customerRef));
  for (const [variant, quantity] of lines) {
    await addToCart(client, goods[variant]!.id, quantity, customerRef);
  }
  const { items } = await readCart(client, customerRef);
  return (
    items.length === lines.length &&
    items.every(({ variantId, quantity }, at) => {
      const [variant, wanted] = lines[at]!;
      return variantId === goods[variant]!.id && quantity === wanted;
    })
  );
}

/** Repeats a body until its response is final, so many times at most. */
async function insist(
  storm: ScentStorm,
  customer: Customer,
  round: Round,
  body: ScentStormBody,
  tries: number,
): Promise<void> {
  for (let at = 0; at < tries; at += 1) {
    const { response } = await sendOnce(storm, customer, round, body);
    if (isConclusive(response)) return;
    await pause(200);
  }
}

const PASSING = ['CONFLICT_ORDER_IN_PROGRESS', 'CONFLICT_CART_HAS_PENDING_ORDER'];
const isConclusive = (response: ApiResponse<ScentOrder> | undefined): boolean =>
  response !== undefined && response.status < 500 && !PASSING.includes(response.state);
const isAcknowledged = ({ response }: ScentLogEntry): boolean => response?.status === 200;

async function sendOnce(
  { partners, plan, codes, log }: ScentStorm,
  customer: Customer,
  round: Round,
  body: ScentStormBody,
): Promise<ScentLogEntry> {
  const client = partners[customer.partner]![plan.environment];
  const { customerRef, partner } = customer;
  const { externalReference: _, shippingAddress, ...rest } = newScentOrder({ customerRef });
  const json = {
    ...rest,
    externalReference: body.reference,
    shippingAddress: { ...shippingAddress, city: body.city },
    ...(body.hasCode && { discountCode: codes[partner]!.code }),
  };
  const entry: ScentLogEntry = {
    customer,
    round,
    body,
    sentAt: performance.now(),
    respondedAt: Number.POSITIVE_INFINITY,
    response: undefined,
  };
  log.push(entry);
  entry.response = await orderScents(client, json).catch(() => undefined);
  entry.respondedAt = performance.now();
  return entry;
}

/** What was acknowledged once has the same response again; what was refused may be an order of another cart by now, and is let be. */
async function repeatAcknowledged(storm: ScentStorm, partner: number): Promise<void> {
  const acknowledged = storm.log.filter(
    (entry) => isAcknowledged(entry) && entry.customer.partner === partner,
  );
  const bodies = new Map(acknowledged.map((entry) => [entry.body, entry]));
  for (const { customer, round, body } of bodies.values()) await insist(storm, customer, round, body, 100);
}

/** The differences that are left when there has been time to give everything back that was decided. */
async function untilAgreed(check: () => Promise<string[]>): Promise<string[]> {
  const end = performance.now() + AGREED_MS;
  for (;;) {
    const faults = await check();
    if (faults.length === 0 || performance.now() > end) return faults;
    await pause(100);
  }
}

async function checkShelf(
  { plan, goods, log, partners }: ScentStorm,
  shelf: Shelf,
  decisions: ReadonlyMap<string, ScentDecision>,
): Promise<string[]> {
  const sold = new Map<string, number>();
  const orders: ScentOrder[] = [];
  for (const partner of partners) {
    const client = partner[plan.environment];
    orders.push(...(await client.all<ScentOrder>('/orders/scent')));
  }
  for (const { lines } of orders) {
    for (const { variantId, quantity } of lines) sold.set(variantId, (sold.get(variantId) ?? 0) + quantity);
  }
  const faults: string[] = [];
  for (const [at, { id }] of goods.entries()) {
    const { stock } = await shelf.read(id);
    const [level, other] = [true, false].map((isOurs) =>
      stock.find(({ environment }) => (environment === plan.environment) === isOurs),
    );
    const { stockOnHand, stockReserved } = level!;
    if (other?.stockOnHand !== plan.stocks[at] || other?.stockReserved !== 0)
      faults.push(`variant ${at}: an order of ${plan.environment} took units of ${other?.environment}`);
    const left = plan.stocks[at]! - (sold.get(id) ?? 0) + restocked(orders, decisions, id);
    if (stockOnHand !== left || stockReserved !== 0)
      faults.push(
        `variant ${at}: ${stockOnHand} on hand and ${stockReserved} reserved, the model says ${left} and 0`,
      );
    const wanted = [...new Set(log.map(({ round }) => round))]
      .flatMap(({ lines }) => lines)
      .filter(([variant]) => variant === at)
      .reduce((sum, [, quantity]) => sum + quantity, 0);
    if ((sold.get(id) ?? 0) > plan.stocks[at]! || wanted < (sold.get(id) ?? 0))
      faults.push(`variant ${at}: sold more than there was, or was request`);
  }
  return faults;
}
