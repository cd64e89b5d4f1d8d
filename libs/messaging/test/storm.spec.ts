import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillIn } from '@reseller/database';
import { eventually } from '@reseller/testing';
import { Cluster } from './storm/cluster';
import { bundleMember, Fleet } from './storm/fleet';
import { GROUPS, POISON } from './storm/plan';
import { createRandom } from './storm/random';

/** Some seconds in CI; MESSAGING_STORM_SECONDS and MESSAGING_STORM_SEED make it longer, or another one. */
const SECONDS = Number(process.env['MESSAGING_STORM_SECONDS'] ?? 5);
const SEED = process.env['MESSAGING_STORM_SEED'] ?? 'messaging-1';
const TABLES = ['messaging', 'dead-letters']
  .map((name) => readFileSync(path.join(__dirname, `../sql/${name}.sql`), 'utf8'))
  .join('');

let cluster: Cluster;
let fleet: Fleet;
let bundle: Awaited<ReturnType<typeof bundleMember>>;
beforeAll(async () => {
  [cluster, bundle] = await Promise.all([Cluster.start(), bundleMember()]);
  for (const database of ['source', 'sink']) {
    await cluster.run('postgres', `CREATE DATABASE ${database}`);
    await cluster.within(database, async (client) => {
      await fillIn(client);
      await client.query(TABLES);
    });
  }
  await cluster.run('source', 'CREATE TABLE fact (event_id uuid PRIMARY KEY)');
  await cluster.run(
    'sink',
    `CREATE TABLE effect (ord bigserial PRIMARY KEY, consumer text, event_id uuid, aggregate_id text,
                          aggregate_seq bigint)`,
  );
  fleet = new Fleet(bundle.file, createRandom(SEED), cluster);
});
afterAll(async () => {
  await fleet.retire();
  await cluster.stop();
  await bundle.remove();
});

const urls = (): Record<string, string> => ({
  SOURCE_URL: cluster.url('source'),
  SINK_URL: cluster.url('sink'),
  BUS_URL: cluster.url('bus'),
});

function launchAll(): void {
  const shared = { ...urls(), SEED };
  for (let n = 0; n < 2; n += 1) {
    fleet.add({ ...shared, ROLE: 'producer' });
    fleet.add({ ...shared, ROLE: 'relay' });
    for (const GROUP of GROUPS) fleet.add({ ...shared, ROLE: 'consumer', GROUP });
  }
}

/** Faults, one after another, for so long; in the middle the server itself crashes. */
async function rage(): Promise<void> {
  const random = createRandom(`${SEED}/pauses`);
  const start = performance.now();
  let hasCrashed = false;
  while (performance.now() - start < SECONDS * 1_000) {
    await pause(100 + random.below(300));
    await fleet.strike();
    if (hasCrashed || performance.now() - start < SECONDS * 500) continue;
    hasCrashed = true;
    await cluster.crash(500);
  }
}

async function untilAllAreAtWork(): Promise<void> {
  await eventually(
    async () => {
      const rows = await cluster.run('sink', 'SELECT count(DISTINCT consumer)::int AS n FROM effect');
      expect(rows).toEqual([{ n: GROUPS.length }]);
    },
    { intervalMs: 100 },
  );
}

async function untilAllIsHandled(): Promise<void> {
  await eventually(
    async () => {
      const waiting = await cluster.run('source', 'SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1');
      expect(waiting).toEqual([]);
      const behind = await cluster.run(
        'bus',
        'SELECT group_name, partition FROM event_bus.group_progress WHERE next_offset > committed_offset',
      );
      expect(behind).toEqual([]);
    },
    { timeoutMs: 25_000 + SECONDS * 2_000, intervalMs: 100 },
  );
}

describe(`a storm over producers, relays and consumers (seed ${SEED}, ${SECONDS} s)`, () => {
  it(
    'when all is quiet again, then every committed event had its effect once and in order, and only poison is dead',
    async () => {
      launchAll();
      await untilAllAreAtWork();
      await rage();
      await fleet.retire('producer');
      await untilAllIsHandled();
      await fleet.retire();

      const facts = await cluster.run('source', 'SELECT event_id FROM fact ORDER BY event_id');
      const outbox = await cluster.run(
        'source',
        `SELECT event_id, aggregate_id, aggregate_seq, convert_from(payload, 'UTF8') = $1 AS poison
         FROM outbox ORDER BY aggregate_id, aggregate_seq`,
        [POISON],
      );
      expect(fleet.crashes).toEqual([]);
      // A storm in which little happens shows little.
      expect(outbox.length).toBeGreaterThan(SECONDS * 10);
      expect(Object.keys(fleet.faults).sort()).toEqual(['killed', 'stopped', 'terminated']);
      expect(outbox.map((row) => row['event_id']).sort()).toEqual(facts.map((row) => row['event_id']));

      const sound = outbox
        .filter((row) => !row['poison'])
        .map((row) => `${String(row['aggregate_id'])}/${String(row['aggregate_seq'])}`);
      for (const group of GROUPS) {
        const effects = await cluster.run(
          'sink',
          'SELECT aggregate_id, aggregate_seq FROM effect WHERE consumer = $1 ORDER BY aggregate_id, ord',
          [group],
        );
        // In the order in which they took effect, against the order in which they were committed.
        expect(
          effects.map((row) => `${String(row['aggregate_id'])}/${String(row['aggregate_seq'])}`),
        ).toEqual(sound);
      }

      const dead = await cluster.run(
        'sink',
        'SELECT event_id AS id, consumer AS "group", reason FROM dead_letters ORDER BY 1, 2',
      );
      const poison = outbox.filter((row) => row['poison']).map((row) => String(row['event_id']));
      const expected = poison.sort().flatMap((id) => GROUPS.map((group) => ({ id, group })));
      expect(expected).not.toEqual([]);
      expect(dead.map(({ id, group }) => ({ id, group }))).toEqual(expected);
      expect(new Set(dead.map(({ reason }) => reason))).toEqual(new Set(['Undecodable']));
    },
    90_000 + SECONDS * 4_000,
  );
});
