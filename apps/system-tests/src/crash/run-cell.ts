import { isDeepStrictEqual } from 'node:util';
import { insistOn } from '../clients/insist';
import type { OperatorClient, TestPartner } from '../clients/operator-client';
import type { PartnerClient } from '../clients/partner-client';
import type { OrderSummary, VendorOrder } from '../clients/resources';
import type { EnvironmentName } from '../platform/platform-file';
import { pidOf } from '../platform/processes';
import { expectedOutcome, findFaults, readOutcome } from './cell-outcome';
import type { CellOutcome } from './cell-outcome';
import type { Ending, VendorBehaviour } from './cells';
import type { Attempt, CrashProduct } from './products';
import { until } from '../until';

/** What a cell works with; `attempt` is its one order. */
export interface CellStage {
  readonly operator: OperatorClient;
  readonly partner: TestPartner;
  readonly client: PartnerClient;
  readonly environment: EnvironmentName;
  readonly product: CrashProduct;
  readonly attempt: Attempt;
}

/** One line of the matrix. */
export interface CellResult {
  readonly crash: string;
  readonly product: string;
  readonly restarts: number;
  readonly outcome: CellOutcome | undefined;
  readonly seconds: number;
  /** Empty when the cell passed. */
  readonly faults: readonly string[];
}

/** A cell of any kind: how to make something die around the order of a stage, and what must be left in the end. */
export interface Cell {
  readonly crash: string;
  readonly environment: EnvironmentName;
  readonly vendor: VendorBehaviour;
  readonly ends: Ending;
  /** Processes that are killed, for counting their restarts. */
  readonly victim: string;
  /** Has something die; returns how often. */
  strike(stage: CellStage): Promise<number>;
}

const DEPOSIT = 100;

/** Runs one cell on a fresh partner and compares every book with what it must be. */
export async function runCell(
  operator: OperatorClient,
  cell: Cell,
  product: CrashProduct,
): Promise<CellResult> {
  const startedAt = performance.now();
  const line = { crash: cell.crash, product: product.name };
  let restarts = 0;
  let outcome: CellOutcome | undefined;
  let faults: string[];
  try {
    const partner = await operator.newPartner({ deposit: DEPOSIT });
    const client = partner[cell.environment];
    await client.accessToken();
    const attempt = product.attempt(cell.vendor);
    const stage = { operator, partner, client, environment: cell.environment, product, attempt };
    const pid = pidOf(cell.victim);
    restarts = await cell.strike(stage);
    const isRepeated = await settle(stage);
    outcome = { ...(await readOutcome(client, cell.environment, DEPOSIT)), isRepeated };
    faults = findFaults(outcome, expectedOutcome(cell.ends, cell.vendor, attempt.amount));
    if (restarts > 0 && pidOf(cell.victim) === pid) faults.push(`${cell.victim} never died`);
  } catch (error) {
    faults = [error instanceof Error ? error.message : String(error)];
  }
  return { ...line, restarts, outcome, faults, seconds: (performance.now() - startedAt) / 1000 };
}

const OPEN = ['Pending', 'Processing', 'InterventionRequired'];

/** Repeats the create as a partner would, until its end; returns whether what was acknowledged repeats identically. */
async function settle({ client, product, attempt }: CellStage): Promise<boolean> {
  const first = await insistOn(() => attempt.create(client));
  const last = await until('the order ends', async () => {
    const read = await product.read(client, first.orderId);
    return OPEN.includes(read.status) ? undefined : read;
  });
  const again = await insistOn(() => attempt.create(client));
  const isSame = OPEN.includes(first.status)
    ? first.orderId === last.orderId
    : isDeepStrictEqual(first, last);
  return isSame && isDeepStrictEqual(again, last);
}

/** The order of a stage as its partner sees it now; undefined when there is none. */
export async function findOrder(stage: CellStage): Promise<OrderSummary | undefined> {
  return (await stage.client.allOrders())[0];
}

/** Waits until the stage's order has one of these statuses. */
export const untilStatus = (stage: CellStage, ...statuses: string[]): Promise<OrderSummary> =>
  until(`the order is ${statuses.join(' or ')}`, async () => {
    const order = await findOrder(stage);
    return order && statuses.includes(order.status) ? order : undefined;
  });

/** Sends the create and lets it fail: its response is lost with the process. */
export async function createInVain({ attempt, client }: CellStage): Promise<VendorOrder | undefined> {
  const response = await attempt.create(client).catch(() => undefined);
  return response?.status === 200 ? response.payload : undefined;
}
