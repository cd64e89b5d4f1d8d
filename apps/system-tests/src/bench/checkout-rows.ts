import type { StartedPlatform } from '../platform/start-platform';
import { OperatorClient } from '../clients/operator-client';
import type { TestPartner } from '../clients/operator-client';
import { Shelf } from '../clients/scents';
import { checkOut, fillCarts, type CheckoutLoad } from './checkout-load';
import { prepareCheckoutYardstick, type CheckoutYardstick } from './checkout-yardstick';
import type { LoadResult } from './http-load';
import { inTurn, say, toRow } from './measure';
import type { BenchOptions } from './options';
import { findPgbench, PGBENCH_HINT } from './pgbench';
import type { BenchRow } from './report';

const CLIENTS = 16;
const LINES = 5;
const LEAST = 0.2;
const DISPLAY_CURRENCY = 'USD';

/** Checks carts of five lines out, for 16 partners, against pgbench running the same statements; carts are filled beforehand. */
export async function benchCheckout(platform: StartedPlatform, options: BenchOptions): Promise<BenchRow> {
  const operator = new OperatorClient(platform.description);
  const settings = { displayCurrency: DISPLAY_CURRENCY, commissionRate: 0.1 };
  const partners: TestPartner[] = [];
  for (let at = 0; at < CLIENTS; at += 1) {
    partners.push(await operator.newPartner({ deposit: 100_000_000, settings }));
  }
  const shelf = new Shelf(operator);
  const goods = await shelf.onOffer();
  for (const { id } of goods) await shelf.set(id, { stockOnHand: 100_000_000, cost: 0 });
  const variantIds = goods.map(({ id }) => id);
  const program = findPgbench();
  if (!program) say(`\n${PGBENCH_HINT}\n`);
  const yardstick = program
    ? await prepareCheckoutYardstick(platform, {
        partners,
        variantIds,
        lines: LINES,
        program,
        marks: [DISPLAY_CURRENCY],
      })
    : undefined;
  if (yardstick) say(`a checkout of ${LINES} lines is ${yardstick.statements} SQL statements`);
  if (yardstick && options.showsScript) say(yardstick.script);
  const load: CheckoutLoad = {
    gatewayUrl: platform.description.gatewayUrl,
    partners: partners.map(({ sandbox }) => sandbox),
    variantIds,
    lines: LINES,
    connections: CLIENTS,
  };
  try {
    return await measure(load, yardstick, options);
  } finally {
    await yardstick?.drop();
  }
}

async function measure(
  load: CheckoutLoad,
  yardstick: CheckoutYardstick | undefined,
  options: BenchOptions,
): Promise<BenchRow> {
  say('checking carts out …');
  // Carts a second to fill beforehand: a guess, then what was seen.
  let rate = 40;
  let yardstickRate = 1_500;
  const place = async (seconds: number): Promise<LoadResult> => {
    const carts = await fillCarts(load, Math.ceil(rate * seconds * 1.5));
    const result = await checkOut(load, carts, seconds);
    rate = Math.max(rate, result.count / result.seconds);
    return result;
  };
  const run = async (seconds: number): Promise<{ count: number; seconds: number }> => {
    await yardstick!.fill(Math.ceil(yardstickRate * seconds * 2));
    const result = await yardstick!.run(CLIENTS, seconds);
    yardstickRate = result.count / result.seconds;
    return result;
  };
  for (let at = 0; at < 2; at += 1) await place(Math.min(5, options.seconds));
  if (yardstick) await run(Math.min(3, options.seconds));
  const before = (await yardstick?.countPaid()) ?? 0;
  const result = await inTurn(
    options.rounds,
    () => place(options.seconds),
    yardstick && (() => run(options.seconds)),
  );
  const paid = ((await yardstick?.countPaid()) ?? 0) - before;
  // A yardstick whose orders are not paid would be too easy: it must not pass unnoticed.
  if (paid < result.yardstickCount) {
    throw new Error(
      `of ${result.yardstickCount} checkouts by pgbench ${paid} were paid: its script is wrong`,
    );
  }
  const name = `Checkout of a ${LINES}-line cart, ${CLIENTS} connections`;
  return toRow(name, 'orders/s', LEAST, 0, result, 'pgbench, same SQL');
}
