import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../clients/response';
import type { OperatorClient, TestPartner } from '../clients/operator-client';
import type { VendorOrder } from '../clients/resources';
import { readPointCells } from '../crash/cells';
import type { CrashPlatform } from '../crash/crash-platform';
import { until } from '../until';
import { readPartnerBooks, readPlatformBooks } from './books';
import { checkPartner } from './check';
import { decideSome } from './decide-some';
import { befall } from './faults';
import type { Decision } from './model';
import { planStorm } from './plan';
import type { Send, StormPlan } from './plan';
import { Random } from './random';
import { SendLog } from './send-log';
import type { LogEntry } from './send-log';

/** What became of one seed. */
export interface StormResult {
  readonly seed: number;
  readonly sends: number;
  readonly orders: number;
  readonly refused: number;
  readonly seconds: number;
  /** Empty when the books are what the model says. */
  readonly faults: readonly string[];
}

interface Storm {
  readonly plan: StormPlan;
  readonly random: Random;
  readonly partners: readonly TestPartner[];
  readonly log: SendLog;
}

/** Runs one seed on a running platform: the sends and the faults at once, then quiet, then the books. */
export async function runStorm(
  seed: number,
  platform: CrashPlatform,
  operator: OperatorClient,
): Promise<StormResult> {
  const startedAt = performance.now();
  const random = new Random(seed);
  const points = [...new Set(readPointCells().map(({ point }) => point))];
  const plan = planStorm(seed, random, points);
  const partners = await Promise.all(
    plan.deposits.map((deposit) => operator.newPartner({ deposit: deposit / 100 })),
  );
  const storm: Storm = { plan, random, partners, log: new SendLog() };
  await Promise.all(partners.map((partner) => partner[plan.environment].accessToken()));

  let isOver = false;
  const sent = sendAll(storm).finally(() => (isOver = true));
  await Promise.all([sent, befall(plan.faults, platform.crashFile, () => isOver)]);
  platform.crashFile.disarm();

  await settle(storm);
  const decisions = new Map<string, Decision>();
  const faults = await compare(storm, decisions);
  for (const partner of partners) {
    const client = partner[plan.environment];
    for (const made of await decideSome(operator, client, random, platform.crashFile)) decisions.set(...made);
  }
  platform.crashFile.disarm();
  await settle(storm);
  faults.push(...(await compare(storm, decisions)).map((fault) => `after decisions, ${fault}`));
  const responses = storm.log.entries.map(({ response }) => response);
  return {
    seed,
    sends: responses.length,
    orders: new Set(responses.filter((one) => one?.status === 200).map((one) => one!.payload.orderId)).size,
    refused: responses.filter((one) => one?.status === 422).length,
    seconds: (performance.now() - startedAt) / 1000,
    faults,
  };
}

const TRIES = 3;

async function sendAll(storm: Storm): Promise<void> {
  const waiting = [...storm.plan.sends];
  const client = async (): Promise<void> => {
    for (let send = waiting.shift(); send; send = waiting.shift()) {
      // A client repeats what got no final response, and gives up in the end.
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (isConclusive(await sendOnce(storm, send))) break;
        await pause(200);
      }
    }
  };
  await Promise.all(Array.from({ length: storm.plan.clients }, client));
}

function sendOnce({ partners, plan, log }: Storm, send: Send): Promise<LogEntry> {
  const client = partners[send.reference.partner]![plan.environment];
  const path = send.body.product === 'Topup' ? '/orders/topup' : '/orders/esim';
  return log.record(send, (): Promise<ApiResponse<VendorOrder>> =>
    client.call(path, { body: send.body.json }),
  );
}

function isConclusive({ response }: LogEntry): boolean {
  return response !== undefined && response.status < 500 && response.state !== 'CONFLICT_ORDER_IN_PROGRESS';
}

/** Repeats every body until its response is final, waits for the end of what runs, and repeats once more. */
async function settle(storm: Storm): Promise<void> {
  const { plan, partners } = storm;
  const references = new Set(plan.sends.map(({ reference }) => reference));
  const sends = [...references].flatMap((reference) => reference.bodies.map((body) => ({ reference, body })));
  await inTurns(sends, (send) =>
    until(`${send.reference.id} gets its response`, async () => isConclusive(await sendOnce(storm, send))),
  );
  for (const partner of partners) {
    await until('no order is open', async () => {
      const orders = await partner[plan.environment].allOrders();
      return orders.every(({ status }) => status !== 'Pending' && status !== 'Processing');
    });
  }
  await inTurns(sends, (send) =>
    until(`${send.reference.id} is repeated`, async () => isConclusive(await sendOnce(storm, send))),
  );
  // The last repetitions may have placed an order that was refused for want of money before.
  for (const partner of partners) {
    await until('no order is open', async () => {
      const orders = await partner[plan.environment].allOrders();
      return orders.every(({ status }) => status !== 'Pending' && status !== 'Processing');
    });
  }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

async function compare(
  { plan, partners, log }: Storm,
  decisions: ReadonlyMap<string, Decision>,
): Promise<string[]> {
  const platform = await readPlatformBooks(plan.environment);
  const all = [...new Set(plan.sends.map(({ reference }) => reference))];
  const faults: string[] = [];
  for (const [at, partner] of partners.entries()) {
    const client = partner[plan.environment];
    const books = await readPartnerBooks(partner.id, plan.environment, client);
    const references = all.filter((reference) => reference.partner === at);
    const input = { deposit: plan.deposits[at]!, references, log, books, platform, decisions };
    faults.push(...checkPartner(input).map((fault) => `partner ${at}: ${fault}`));
  }
  return faults;
}
