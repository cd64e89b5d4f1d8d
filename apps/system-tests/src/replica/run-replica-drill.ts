import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { until } from '../until';
import { after, orderThrough, RESPONSE_MS } from '../drill/order-through';
import { chooseFrom, runEach } from '../drill/run-each';
import { Cluster, requirePackages } from '../failover/cluster';
import { startPlatform, type StartedPlatform } from '../platform/start-platform';
import type { Load } from '../restore/load';
import { ConsoleReads } from './console-reads';
import { judgeCounts, PARTS, taken, type Part, type PartName } from './parts';
import { countsBetween, readCounts } from './read-counts';
import { compareShares } from './share';

/** Which parts, and how much load: for so many seconds, by so many clients. */
interface ReplicaDrillOptions {
  readonly parts: readonly PartName[];
  readonly seconds: number;
  readonly clients: number;
}

/** The services' default. */
const ACCEPTED_MS = 2_000;
/** A read ends within its deadline of 2 s, or with an overview's of 12 s. */
const READ_MS = 12_000;

/** Reads the command line: --only=slow --seconds=10 --clients=3. */
export function parseReplicaOptions(args: string[]): ReplicaDrillOptions {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '10' },
      clients: { type: 'string', default: '3' },
    },
  });
  return {
    parts: chooseFrom(PARTS, 'only', values.only),
    seconds: Number(values.seconds),
    clients: Number(values.clients),
  };
}

/** Runs each part on a cluster and a platform of its own; returns whether each ended with everything as it must be. */
export async function runReplicaDrill({ parts, seconds, clients }: ReplicaDrillOptions): Promise<boolean> {
  requirePackages();
  return runEach(
    parts,
    (name) => PARTS[name].what,
    (name) => runPart(name, { seconds, clients }),
  );
}

type LoadOptions = Pick<ReplicaDrillOptions, 'seconds' | 'clients'>;

async function runPart(name: PartName, { seconds, clients }: LoadOptions): Promise<string[]> {
  const root = mkdtempSync(path.join(tmpdir(), 'reseller-replica-'));
  const part: Part = PARTS[name];
  // Where commits wait for the standby, it is never behind what partners have a response for; but then a failover loses nothing.
  const cluster = await Cluster.start(root, part.isWithoutPrimary ?? false);
  try {
    const platform = await startPlatform({
      POSTGRES_ADMIN_URL: cluster.adminUrl,
      POSTGRES_REPLICA_URL: cluster.replicaUrl,
      DATABASE_REPLICA_STALENESS_MS: String(part.acceptedMs ?? ACCEPTED_MS),
    });
    process.env.PLATFORM_JSON = platform.file;
    try {
      const { faults, late } = await orderThrough({ platform, clients }, (load) =>
        readThrough(load, part, { cluster, platform, seconds }),
      );
      const shares = name === 'follows' ? await compareShares(cluster, platform.description) : [];
      return [...faults, ...late, ...shares];
    } finally {
      await platform.stop();
    }
  } finally {
    await cluster.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

interface Drill {
  readonly cluster: Cluster;
  readonly platform: StartedPlatform;
  readonly seconds: number;
}

/** Has operators read while partners order and the part strikes, until the standby is read from again; returns what was wrong. */
async function readThrough(load: Load, part: Part, { cluster, platform, seconds }: Drill): Promise<string[]> {
  await until('orders are acknowledged', () => load.acknowledgedOrders.length >= 10);
  let isWithoutPrimary = false;
  const reads = new ConsoleReads(
    platform.description,
    load,
    part.acceptedMs ?? ACCEPTED_MS,
    () => isWithoutPrimary,
  );
  try {
    await taken();
    const before = await readCounts();
    isWithoutPrimary = part.isWithoutPrimary ?? false;
    await part.strike(cluster, seconds * 1_000);
    const counts = countsBetween(before, await readCounts());
    await cluster.whole();
    isWithoutPrimary = false;
    await taken();
    await reads.stop();
    await load.stop();
    say(
      `  ${load.acknowledgedOrders.length} orders acknowledged; ${reads.reads} reads, the slowest took ${after(0, reads.slowestMs)}; ` +
        `${reads.missing} orders were not shown yet, the oldest ${after(0, reads.oldestMissingMs)} after its response`,
    );
    return [
      ...reads.faults,
      ...judgeCounts(part, counts),
      ...(reads.slowestMs > READ_MS ? [`a read took ${after(0, reads.slowestMs)}`] : []),
      ...(load.slowestMs > RESPONSE_MS ? [`a response took ${after(0, load.slowestMs)}`] : []),
    ];
  } finally {
    await reads.stop();
  }
}
