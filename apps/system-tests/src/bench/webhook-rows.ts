import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expectSuccess } from '../clients/response';
import { newTopup } from '../clients/bodies';
import type { TestPartner } from '../clients/operator-client';
import type { StartedPlatform } from '../platform/start-platform';
import { say } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { runPoster, startReceiver } from './webhook-processes';
import { percentile } from '../percentile';

/** Deliveries before the first round, which show how many connections the worker uses. */
const WARM_UP_DELIVERIES = 5_000;
const EVENTS_PER_SECOND = 50;
/** Of the same, before what is measured: in the first seconds after a start code is still compiled. */
const WARM_UP_SECONDS = 10;
const LEAST_RATIO = 0.6;
const P50_LIMIT_MS = 20;
const P99_LIMIT_MS = 100;
/** How long a planned backlog waits, so that it is there as a whole before the first is sent. */
const START_IN_S = 3;

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Deliveries from a backlog against the HTTP ceiling, the same beside a receiver that hangs, and the delay of single events. */
export async function benchWebhooks(
  platform: StartedPlatform,
  partners: readonly TestPartner[],
  options: BenchOptions,
): Promise<BenchRow[]> {
  const receiver = await startReceiver();
  const notifier = new pg.Client({ connectionString: platform.description.databases.notifier });
  await notifier.connect();
  try {
    say('delivering webhooks …');
    const timed = partners[0]!;
    const [healthy, hanging] = [partners.slice(1, 76), partners.slice(76, 100)];
    for (const partner of healthy) await subscribe(partner, `${receiver.origin}/hook`);
    const delay = await benchDelay(timed, receiver, options);
    const alone = await benchBacklog({ notifier, receiver, healthy, hanging: [], options });
    for (const partner of hanging) await subscribe(partner, `${receiver.origin}/hang`);
    const beside = await benchBacklog({ notifier, receiver, healthy, hanging, options });
    return [
      toRatioRow('Webhook deliveries from a backlog', alone),
      toRatioRow('The same, a quarter of it for receivers that hang', beside),
      delay,
    ];
  } finally {
    await notifier.query('DELETE FROM webhook_subscriptions');
    await notifier.end();
    receiver.stop();
  }
}

async function subscribe(partner: TestPartner, url: string): Promise<void> {
  const body = { url, eventTypes: ['order.completed'] };
  const response = await partner.sandbox.call('/webhooks', { body });
  if (response.status !== 201) throw new Error(`no subscription was made: ${response.text}`);
}

async function benchBacklog(input: {
  notifier: pg.Client;
  receiver: Receiver;
  healthy: readonly TestPartner[];
  hanging: readonly TestPartner[];
  options: BenchOptions;
}): Promise<{ measured: number; yardstick: number }> {
  const { receiver, options, healthy, hanging } = input;
  const body = exampleBody(healthy[0]!.id);
  await addBacklog(input.notifier, healthy, WARM_UP_DELIVERIES, body);
  const { connections } = await untilReceived(receiver, WARM_UP_DELIVERIES);
  say(`the worker uses ${connections} connections`);
  const plan = { origin: receiver.origin, headers: exampleHeaders, body, connections };
  const [own, other] = [
    { count: 0, seconds: 0 },
    { count: 0, seconds: 0 },
  ];
  for (let round = 0; round < options.rounds; round += 1) {
    const ceiling = await runPoster({ ...plan, seconds: options.seconds });
    other.count += ceiling.count;
    other.seconds += ceiling.seconds;
    await receiver.report();
    const expected = Math.round(((ceiling.count / ceiling.seconds) * options.seconds) / 2);
    await addBacklog(input.notifier, healthy, expected, body);
    if (hanging.length > 0) await addBacklog(input.notifier, hanging, Math.round(expected / 3), body);
    const drained = await untilReceived(receiver, expected);
    own.count += drained.count;
    own.seconds += drained.seconds;
  }
  return { measured: own.count / own.seconds, yardstick: other.count / other.seconds };
}

/** Events as ingest stores them, for the partners in turn, all due at one moment ahead. */
async function addBacklog(
  notifier: pg.Client,
  partners: readonly TestPartner[],
  count: number,
  body: string,
): Promise<void> {
  await notifier.query('BEGIN');
  await notifier.query(
    `SELECT webhook_take_events(array_agg(uuidv7()), array_agg(($1::uuid[])[1 + n % $2]), array_agg('sandbox'::text),
       array_agg('order.completed'::text), array_agg(clock_timestamp()), array_agg('BENCH'::text), array_agg($3::bytea),
       array_agg('{}'::jsonb))
     FROM generate_series(1, $4::integer) n`,
    [partners.map(({ id }) => id), partners.length, Buffer.from(body), count],
  );
  await notifier.query(
    `UPDATE webhook_pending_deliveries SET next_attempt_at = clock_timestamp() + interval '${START_IN_S} seconds'
     WHERE jsonb_array_length(attempts) = 0 AND next_attempt_at <= clock_timestamp()
       AND NOT EXISTS (SELECT 1 FROM webhook_leases l WHERE l.delivery_id = id)`,
  );
  await notifier.query('COMMIT');
}

async function untilReceived(
  receiver: Receiver,
  expected: number,
): Promise<{ count: number; seconds: number; connections: number }> {
  let [count, firstAt, lastAt, connections] = [0, 0, 0, 0];
  const giveUpAt = Date.now() + 120_000;
  while (count < expected) {
    if (Date.now() > giveUpAt) throw new Error(`only ${count} of ${expected} webhooks arrived`);
    await pause(100);
    const report = await receiver.report();
    count += report.count;
    firstAt ||= report.firstAt;
    lastAt = report.lastAt || lastAt;
    connections = Math.max(connections, report.connections);
  }
  return { count, seconds: (lastAt - firstAt) / 1_000, connections };
}

/** From the order's commit, through outbox, bus and notifier, to the receiver, at a steady pace. */
async function benchDelay(
  partner: TestPartner,
  receiver: Receiver,
  options: BenchOptions,
): Promise<BenchRow> {
  await subscribe(partner, `${receiver.origin}/timed`);
  await delaysOf(receiver, await placeAtPace(partner, WARM_UP_SECONDS));
  const placed = await placeAtPace(partner, options.seconds * options.rounds);
  const delays = await delaysOf(receiver, placed);
  const [half, most] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  return {
    work: `Order's commit to webhook's receipt, ${EVENTS_PER_SECOND} events/s`,
    target: `p50 ≤ ${P50_LIMIT_MS} ms, p99 ≤ ${P99_LIMIT_MS} ms`,
    measured: half,
    unit: 'ms (p50)',
    yardstick: null,
    ratio: null,
    isReached: half <= P50_LIMIT_MS && most <= P99_LIMIT_MS && delays.length >= placed,
    note: `p99 ${most} ms, ${delays.length} of ${placed} arrived`,
  };
}

/** Returns how many orders it placed. */
async function placeAtPace(partner: TestPartner, seconds: number): Promise<number> {
  const orders: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < seconds * EVENTS_PER_SECOND; sent += 1) {
    await pause(Math.max(0, startedAt + (sent * 1_000) / EVENTS_PER_SECOND - performance.now()));
    orders.push(partner.sandbox.topup(newTopup()).then(expectSuccess));
  }
  await Promise.all(orders);
  return orders.length;
}

/** Of so many webhooks, or of those that arrive within 30 s; in milliseconds. */
async function delaysOf(receiver: Receiver, expected: number): Promise<number[]> {
  const delays: number[] = [];
  const giveUpAt = Date.now() + 30_000;
  while (delays.length < expected && Date.now() < giveUpAt) {
    await pause(200);
    delays.push(...(await receiver.report()).delays);
  }
  return delays;
}

function toRatioRow(
  work: string,
  { measured, yardstick }: { measured: number; yardstick: number },
): BenchRow {
  const ratio = measured / yardstick;
  return {
    work,
    target: `≥ ${LEAST_RATIO} of the HTTP ceiling`,
    measured,
    unit: 'deliveries/s',
    yardstick,
    ratio,
    isReached: ratio >= LEAST_RATIO,
    note: '',
  };
}

const exampleBody = (partnerId: string): string =>
  JSON.stringify({
    eventId: randomUUID(),
    eventType: 'order.completed',
    occurredAt: new Date().toISOString(),
    data: {
      orderGlobalId: 'TU-01M7Z8EP28EXNT4W2JPD0JMQGM',
      partnerId,
      productType: 'Topup',
      externalReference: randomUUID(),
      amount: 25,
      currency: 'SAR',
      failureCode: null,
      status: 'Completed',
      customerRef: null,
    },
  });

const exampleHeaders = {
  'Content-Type': 'application/json',
  'User-Agent': 'Partner-Reseller-Webhooks/1.0',
  'X-Service-Signature': `sha256=${'0'.repeat(64)}`,
  'X-Service-Timestamp': '1700000000',
  'X-Service-Event-Id': randomUUID(),
  'X-Service-Event-Type': 'order.completed',
};
