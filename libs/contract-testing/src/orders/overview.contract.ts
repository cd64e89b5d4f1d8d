import { eventually, expect, rpc, service, uuidv4 } from '../prelude';
import type { Message, Sentences, World } from '../prelude';
import { buyer, paidScent, parkedScent, place } from './arrange';

/** Long ago, so that nothing else falls into it; each case has its own hour. */
let hours = 0;
const anHour = (): Date => new Date(Date.UTC(2001, 0, 1, (hours += 1)));
const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

const LIVE = 'ENVIRONMENT_LIVE';

function aBatch(at: Date, sequence = 1): Message {
  const results = [
    { environment: LIVE, code: '', offsets_ms: [0, 40, 999], durations_ms: [7, 300, 12] },
    { environment: LIVE, code: 'RATE_LIMITED', offsets_ms: [5] },
  ];
  return { sequence, started_at: at, results };
}

const record = (world: World, gateway_id: string, batches: Message[]) =>
  world.call('RecordCreates', { gateway_id, batches });
const overviewOf = (world: World, from_at: Date, to_at: Date, environment = LIVE) =>
  world.call('GetOrderOverview', { environment, from_at, to_at });

const given = (world: World) => [world, { gateway_id: uuidv4(), batches: [aBatch(anHour())] }] as const;

const unfit = (patch: Message): Message => {
  const [first] = aBatch(anHour()).results as Message[];
  return { batches: [{ sequence: 1, started_at: new Date(0), results: [{ ...first, ...patch }] }] };
};

/** What gateways report, and what operators see of it. */
export const createResults = service('CreateResultsService', {
  RecordCreates: rpc(given, {
    'keeps a batch once, however often it is sent': async (use) => {
      const [at, gateway] = [anHour(), uuidv4()];
      await record(use, gateway, [aBatch(at)]);
      await record(use, gateway, [aBatch(at), aBatch(after(at, 1_000), 2)]);
      const seen = await overviewOf(use, at, after(at, 10_000));
      expect(seen).toMatchObject({ created: 6, refusals: [{ code: 'RATE_LIMITED', count: 2 }] });
    },
    'VALIDATION_FAILED: lists of different lengths': unfit({ durations_ms: [1] }),
    'VALIDATION_FAILED: an offset of more than a minute': unfit({ offsets_ms: [0, 1, 60_001] }),
  }),
});

const span = { environment: LIVE, from_at: new Date(0), to_at: new Date(1) };

/** A part of OrderOperationsService. */
export const orderOverview = rpc((world) => [world, span], {
  'counts creates and refusals by the moment of their response, and ranks their times': async (use) => {
    const at = anHour();
    await record(use, uuidv4(), [aBatch(at)]);
    const all = await overviewOf(use, at, after(at, 1_000));
    expect(all).toMatchObject({ created: 3, p50_ms: 12, p99_ms: 300 });
    const some = await overviewOf(use, after(at, 5), after(at, 999));
    expect(some).toMatchObject({ created: 1, p50_ms: 300, refusals: [{ code: 'RATE_LIMITED', count: 1 }] });
    const none = await overviewOf(use, after(at, 41), after(at, 999));
    expect([none.created, none.p50_ms, none.p99_ms, none.refusals]).toEqual([0, undefined, undefined, []]);
    expect((await overviewOf(use, at, after(at, 1_000), 'ENVIRONMENT_SANDBOX')).created).toBe(0);
  },
  'adds up orders by the hour of their submission, product and status': async (use) => {
    const partner = buyer(use);
    const order = await place(partner);
    const environment = String(partner.ref.environment);
    const at = new Date(String(order.submitted_at));
    const hour = Math.floor(at.getTime() / 3_600_000);
    const same = {
      product_type: 'PRODUCT_TYPE_TOPUP',
      status: 'ORDER_STATUS_COMPLETED',
      currency: order.currency,
    };
    const lists = { hours: [hour], counts: [1], amounts: [order.amount] };
    expect(await overviewOf(use, at, after(at, 1), environment)).toMatchObject({
      series: [{ ...same, ...lists }],
    });
  },
  'counts the calls to each vendor, and ranks their times': async (use) => {
    const partner = buyer(use);
    const environment = String(partner.ref.environment);
    await place(partner);
    const [vendor] = await eventually(async () => {
      const seen = await overviewOf(use, new Date(0), after(new Date(), 60_000), environment);
      const called = (seen.vendors as Message[]).filter(({ calls }) => Number(calls) > 0);
      expect(called).not.toEqual([]);
      return called;
    });
    expect(Number(vendor?.responses)).toBeGreaterThanOrEqual(1);
    expect(Number(vendor?.p99_ms)).toBeGreaterThanOrEqual(Number(vendor?.p50_ms));
  },
  'counts each order that waits for a person once': async (use) => {
    const { environment } = buyer(use).ref;
    const waiting = async () =>
      (await overviewOf(use, new Date(0), new Date(1), String(environment))).waiting_orders;
    const before = Number(await waiting());
    await parkedScent(use);
    await paidScent(use);
    expect(await waiting()).toBe(before + 1);
  },
} satisfies Sentences);
