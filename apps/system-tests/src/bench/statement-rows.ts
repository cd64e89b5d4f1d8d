import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { readPlatformFile } from '../platform/platform-file';
import type { StartedPlatform } from '../platform/start-platform';
import { seedLedger } from '../seed/seed-ledger';
import { longestStatement } from './longest-statement';
import { say } from './measure';
import { readMemory } from './memory';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';

const PERIOD = { periodFrom: '2026-01-01T00:00:00.000Z', periodTo: '2026-02-01T00:00:00.000Z' };
const LONGEST_MS = 1_000;
const REPORT_MS = 500;
const LOOK_EVERY_MS = 50;

/** Makes, copies, reads and reports a month of one wallet's lines, and says what the longest SQL statement of all that was. */
export async function benchStatement(
  platform: StartedPlatform,
  { lines }: BenchOptions,
): Promise<BenchRow[]> {
  const operator = new OperatorClient(platform.description);
  const partner = await operator.newPartner();
  await operator.openWallet(partner.id, 'live');
  const databaseUrl = platform.description.databases['finance'] ?? '';
  const [from, to] = [new Date(PERIOD.periodFrom), new Date(PERIOD.periodTo)];
  say(`seeding ${lines} ledger lines …`);
  const seconds = await seedLedger({
    databaseUrl,
    partnerId: partner.id,
    environment: 'live',
    lines,
    from,
    to,
  });
  say(`seeded in ${seconds.toFixed(0)} s; making their statement …`);
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const work = new StatementWork(platform, client, partner);
    const longest = await longestStatement({
      adminUrl: databaseUrl,
      logFile: path.join(path.dirname(platform.file), 'logs/postgres.log'),
      work: () => work.run(),
    });
    const yardstick = lines / (await copySeconds(client, partner.id));
    return toRows(lines, longest, work, yardstick);
  } finally {
    await client.end();
  }
}

/** One statement from its request to its last line, each step measured. */
class StatementWork {
  reportMs = 0;
  madeMs = 0;
  copySeconds = 0;
  readSeconds = 0;
  readBytes = 0;
  copyMemory = new Map<string, number>();
  readMemory = new Map<string, number>();

  constructor(
    private readonly platform: StartedPlatform,
    private readonly client: pg.Client,
    private readonly partner: TestPartner,
  ) {}

  async run(): Promise<void> {
    const { gatewayUrl, backofficeUrl, operatorToken } = this.platform.description;
    const authorization = `Bearer ${await this.partner.live.accessToken()}`;
    const report = `${gatewayUrl}/api/v1/statements?mode=report&periodFrom=${PERIOD.periodFrom}&periodTo=${PERIOD.periodTo}`;
    const read = { headers: { authorization } };
    // The first is before anything is warm.
    await firstByte(report, read);
    this.reportMs = await firstByte(report, read);
    const startedAt = performance.now();
    this.madeMs = await firstByte(`${backofficeUrl}/ops/v1/statements`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ partnerId: this.partner.id, environment: 'live', ...PERIOD }),
    });
    this.copyMemory = await this.watchingMemory(async () => {
      while (await this.isCopying()) await pause(LOOK_EVERY_MS);
    });
    this.copySeconds = (performance.now() - startedAt) / 1000;
    say(`made and copied in ${this.copySeconds.toFixed(1)} s; reading it over HTTP …`);
    const { rows } = await this.client.query<{ id: string }>(
      'SELECT id FROM statements WHERE partner_id = $1',
      [this.partner.id],
    );
    const readFrom = performance.now();
    this.readMemory = await this.watchingMemory(async () => {
      const { statusCode, body } = await request(`${gatewayUrl}/api/v1/statements/${rows[0]?.id}`, read);
      if (statusCode !== 200) throw new Error(`the statement returned ${statusCode}`);
      for await (const chunk of body) this.readBytes += (chunk as Buffer).length;
    });
    this.readSeconds = (performance.now() - readFrom) / 1000;
  }

  private async isCopying(): Promise<boolean> {
    const { rowCount } = await this.client.query('SELECT FROM statement_copies');
    return rowCount !== 0;
  }

  /** The most memory of each process while the work ran, in MiB. */
  private async watchingMemory(work: () => Promise<void>): Promise<Map<string, number>> {
    const description = readPlatformFile(this.platform.file);
    const most = new Map<string, number>();
    const look = (): void => {
      for (const [name, mib] of readMemory(description)) most.set(name, Math.max(mib, most.get(name) ?? 0));
    };
    const watch = setInterval(look, LOOK_EVERY_MS);
    try {
      await work();
    } finally {
      clearInterval(watch);
    }
    look();
    return most;
  }
}

/** Milliseconds until a response of 200 begins; the rest of it is not read. */
async function firstByte(url: string, options: NonNullable<Parameters<typeof request>[1]>): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await request(url, options);
  const ms = performance.now() - startedAt;
  body.on('error', () => undefined).destroy();
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}`);
  return ms;
}

/** PostgreSQL's own way to write the same lines out, to nowhere. */
async function copySeconds(client: pg.Client, partnerId: string): Promise<number> {
  const startedAt = performance.now();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM wallets WHERE partner_id = $1', [
    partnerId,
  ]);
  await client.query(
    `COPY (SELECT * FROM ledger_entries WHERE wallet_id = '${rows[0]?.id}' ORDER BY seq) TO PROGRAM 'cat > /dev/null'`,
  );
  return (performance.now() - startedAt) / 1000;
}

function toRows(
  lines: number,
  longest: Awaited<ReturnType<typeof longestStatement>>,
  work: StatementWork,
  yardstick: number,
): BenchRow[] {
  const name = `Statement of ${lines} lines`;
  const rate = (seconds: number): Pick<BenchRow, 'measured' | 'unit' | 'yardstick' | 'ratio'> => ({
    measured: lines / seconds,
    unit: 'lines/s',
    yardstick,
    ratio: lines / seconds / yardstick,
  });
  const within = (measured: number, target: number): Omit<BenchRow, 'work' | 'note'> => ({
    target: `≤ ${target} ms`,
    measured,
    unit: 'ms',
    yardstick: null,
    ratio: null,
    isReached: measured <= target,
  });
  const mib = (memory: Map<string, number>, service: string): string => (memory.get(service) ?? 0).toFixed(0);
  return [
    {
      work: `${name}: longest SQL statement`,
      ...within(longest.ms, LONGEST_MS),
      note: `${longest.name}; ${longest.count} took over 50 ms`,
    },
    {
      work: `${name}: made and copied`,
      target: 'measured',
      ...rate(work.copySeconds),
      isReached: true,
      note: `made after ${work.madeMs.toFixed(0)} ms, copied after ${work.copySeconds.toFixed(1)} s; finance ${mib(work.copyMemory, 'finance')} MiB at most; yardstick COPY`,
    },
    {
      work: `${name}: read over HTTP`,
      target: 'measured',
      ...rate(work.readSeconds),
      isReached: true,
      note: `${(work.readBytes / 1024 / 1024).toFixed(0)} MiB in ${work.readSeconds.toFixed(1)} s; gateway ${mib(work.readMemory, 'gateway')} and finance ${mib(work.readMemory, 'finance')} MiB at most; yardstick COPY`,
    },
    {
      work: `Report of ${lines} lines: first byte`,
      ...within(work.reportMs, REPORT_MS),
      note: 'totals and the first 500 lines',
    },
  ];
}
