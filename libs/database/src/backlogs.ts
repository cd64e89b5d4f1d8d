import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { query, type PreparedStatement } from './query';

/** A row of a reading, by column. */
type BacklogRow = Readonly<Record<string, unknown>>;

/** Where a reading begins: at what the one before it saw. */
export interface BacklogCursor {
  /** The values of the next reading; also after one that failed. */
  next(): readonly unknown[];
  /** What was read, and how many milliseconds that took. */
  saw(rows: readonly BacklogRow[], tookMs: number): void;
}

/** One statement, served by an index, whose rows are shown as gauges when metrics are requested. */
export interface BacklogReading {
  /** In the log and in `backlog_reading_failures_total`. */
  readonly name: string;
  readonly statement: PreparedStatement;
  readonly values?: readonly unknown[];
  /** From where on to read, as further values. */
  readonly cursor?: BacklogCursor;
  /** Columns that become labels; of few values each, never an id. Without any the statement returns one row. */
  readonly labels?: readonly string[];
  /** Which column each gauge shows. */
  readonly gauges: readonly { readonly name: string; readonly help: string; readonly column: string }[];
  /** How long rows stay good, in milliseconds; 5,000 by default. */
  readonly keepMs?: number;
}

/** Where readings are made and shown. */
export interface BacklogDeps {
  readonly pool: Pool;
  readonly metrics: Registry;
  readonly log: Pick<Logger, 'warn'>;
}

const KEEP_MS = 5_000;
/** Longest that asking for metrics waits for the database; what is not read by then is left out. */
const WAIT_MS = 2_000;

/**
 * Shows what waits in a service's database. Every instance shows the same, so take max() over instances. However often it
 * is called, a statement runs at most once in `keepMs`, and one at a time: readings never take more than one connection.
 * What cannot be read is left out (a gauge without labels says NaN), never shown as it was.
 */
export function observeBacklogs(deps: BacklogDeps, readings: readonly BacklogReading[]): void {
  const failures = failureCounter(deps.metrics);
  let tail: Promise<unknown> = Promise.resolve();
  const oneByOne = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = tail.then(work);
    tail = turn.catch(() => undefined);
    return turn;
  };
  for (const reading of readings) {
    failures.inc({ reading: reading.name }, 0);
    const read = remembered(reading.keepMs ?? KEEP_MS, () =>
      oneByOne(() => readOnce(deps.pool, reading)).catch((err: unknown) => {
        failures.inc({ reading: reading.name });
        deps.log.warn({ err, reading: reading.name }, 'a backlog could not be read');
        throw err;
      }),
    );
    for (const gauge of reading.gauges) show(deps.metrics, reading, gauge, read);
  }
}

async function readOnce(
  pool: Pool,
  { statement, values = [], cursor }: BacklogReading,
): Promise<BacklogRow[]> {
  const begun = performance.now();
  const rows = await query<BacklogRow>(pool, statement, [...values, ...(cursor?.next() ?? [])]);
  cursor?.saw(rows, performance.now() - begun);
  return rows;
}

function show(
  metrics: Registry,
  { labels = [] }: BacklogReading,
  { name, help, column }: BacklogReading['gauges'][number],
  read: () => Promise<BacklogRow[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [metrics],
    async collect() {
      const rows = await withinWait(read());
      this.reset();
      if (labels.length === 0) this.set(toNumber(rows?.[0]?.[column]));
      else for (const row of rows ?? []) this.set(labelsOf(row, labels), toNumber(row[column]));
    },
  });
}

/** Runs `load` when its last result is older than `keepMs`, once for all who ask meanwhile; failures are not kept. */
function remembered<T>(keepMs: number, load: () => Promise<T>): () => Promise<T> {
  let kept: { readonly until: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (kept && performance.now() < kept.until) return kept.value;
    const value = load();
    const entry = { until: Infinity, value };
    kept = entry;
    value.then(
      () => {
        if (kept === entry) kept = { until: performance.now() + keepMs, value };
      },
      () => {
        if (kept === entry) kept = undefined;
      },
    );
    return value;
  };
}

/** Undefined when it fails or takes too long; then the response has the rest of the metrics without it. */
const withinWait = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work.catch(() => undefined), pause(WAIT_MS, undefined, { ref: false })]);

function labelsOf(row: BacklogRow, labels: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label) => [label, String(row[label])]));
}

function toNumber(value: unknown): number {
  return value === undefined || value === null ? Number.NaN : Number(value);
}

function failureCounter(registry: Registry): Counter<'reading'> {
  const name = 'backlog_reading_failures_total';
  const known = registry.getSingleMetric(name) as Counter<'reading'> | undefined;
  return (
    known ??
    new Counter({
      name,
      help: 'Readings of a backlog from the database that failed; the gauges of such a reading are left out. Sum over instances.',
      labelNames: ['reading'],
      registers: [registry],
    })
  );
}
