import { setTimeout as pause } from 'node:timers/promises';
import type { OperatorClient } from '../clients/operator-client';
import { addToCart } from '../clients/scents';
import { allInstances } from '../platform/instances';
import { countRepeated } from '../scale/verdict';
import { checkAftermath, readStanding } from './aftermath';
import type { Between } from './between';
import { strike, type BrownOutCell } from './cells';
import { judge } from './judge';
import { Load, sendOne, type Sample } from './load';
import { ROUTES } from './routes';
import { UNITS_OF_A_CART, World } from './world';

/** What became of a cell. */
export interface BrownOutResult {
  readonly cell: BrownOutCell;
  /** Sent while the part was unwell. */
  readonly samples: readonly Sample[];
  /** From the end of the fault until every service is ready and every route succeeds; undefined when it did not come to that. */
  readonly wellAfterMs: number | undefined;
  /** Webhooks that came again. */
  readonly repeatedWebhooks: number;
  /** Empty when the cell passed. */
  readonly faults: readonly string[];
}

const WELL_WITHIN_MS = 60_000;
const WARM_UP_MS = 1_000;

/** Makes one part unwell for so many seconds under load, and compares all books when it is over. */
export async function runBrownOutCell(
  cell: BrownOutCell,
  { seconds, isTimed, between, operator, gatewayUrl }: CellDeps,
): Promise<BrownOutResult> {
  const before = await readStanding();
  const world = await World.create(cell.name, gatewayUrl, operator);
  try {
    await fillCarts(world, seconds);
    if ((await untilWell(world)) === undefined) throw new Error('it was not well before');
    const load = new Load(world);
    load.start();
    await pause(WARM_UP_MS);
    const fault = await strike(cell, between);
    const struckAt = load.elapsedMs;
    await pause(seconds * 1_000);
    await fault.lift();
    const liftedAt = load.elapsedMs;
    const wellAfterMs = await untilWell(world);
    await load.stop();
    const samples = load.samples.filter(({ at, ms }) => at + ms > struckAt && at < liftedAt);
    const faults = [
      ...judge(load.samples, cell, isTimed),
      ...(wellAfterMs === undefined
        ? ['it is not well again, and the books cannot be compared']
        : await checkAftermath(world, operator, before)),
    ];
    const repeatedWebhooks = countRepeated(world);
    return { cell, samples, wellAfterMs, repeatedWebhooks, faults };
  } finally {
    await world.receiver.stop();
  }
}

/** How long a fault lasts, and how closely it is looked at. */
export interface Watch {
  readonly seconds: number;
  /** Whether the machine is quiet enough to hold every response to its deadline. */
  readonly isTimed: boolean;
}

/** What a cell runs on. */
interface CellDeps extends Watch {
  readonly between: Between;
  readonly operator: OperatorClient;
  readonly gatewayUrl: string;
}

/** So that there is something to check out while carts take nothing. */
async function fillCarts(world: World, seconds: number): Promise<void> {
  const { scents, variantId } = world;
  for (let left = seconds; left > 0; left -= 1) {
    const customerRef = `ready ${left}`;
    await addToCart(scents.live, variantId, UNITS_OF_A_CART, customerRef);
    world.filled.push(customerRef);
  }
  await addToCart(scents.live, variantId, 1, 'reader');
}

/** Resolves when every process is ready and one request of each route succeeds, all by themselves. */
async function untilWell(world: World): Promise<number | undefined> {
  const from = performance.now();
  const elapsed = (): number => performance.now() - from;
  while (elapsed() < WELL_WITHIN_MS) {
    if (await isWell(world)) return elapsed();
    await pause(100);
  }
  return undefined;
}

async function isWell(world: World): Promise<boolean> {
  const ready = await Promise.all(
    allInstances().map(({ healthUrl }) =>
      fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  if (ready.includes(false)) return false;
  const routes = ROUTES.filter((route) => route.canSend?.(world) !== false);
  const samples = await Promise.all(routes.map((route) => sendOne(route, world, 0)));
  return samples.every(({ code }) => code === 'SUCCESS');
}
