// Makes a statement of so many lines (100,000), reads it piece by piece, renders its PDF and holds it against the ledger, and
// prints the time of each and the most memory the process held. DATABASE_URL is an empty database of its own.
// Run: npx esbuild apps/finance/bench/long-statement.ts --bundle --platform=node --packages=external --outfile=tmp/long.js
//      DATABASE_URL=postgresql://… node tmp/long.js [lines]
import { applyMigrations, createPool, createPrismaAdapter } from '@reseller/database';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { PrismaClient } from '../src/generated/prisma/client';
import { piecesOf } from '../src/statement/domain/statement';
import { linesOf } from '../src/statement/email/send-due-emails';
import { statementPdf } from '../src/statement/email/statement-pdf';
import { LedgerReportRepository } from '../src/statement/ledger-report.repository';
import { StatementRepository } from '../src/statement/statement.repository';
import { VerificationRepository } from '../src/statement/verification.repository';
import { verifyStatement } from '../src/statement/verify-statement';

const lines = Number(process.argv[2] ?? 100_000);
const connectionString = process.env['DATABASE_URL'] ?? '';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
const say = (text: string): void => void process.stdout.write(`${text}\n`);

// Straight into the tables, as wallet_apply would leave them.
const SEED = `
  WITH n AS (SELECT i, gen_random_uuid() AS tx FROM generate_series(1, $2::int) i),
  t AS (INSERT INTO ledger_transactions (id, op_key, request_hash, kind, wallet_id, reference_id, balance_after, created_at)
        SELECT tx, 'bench:' || i, '', 'credit', $1::uuid, tx::text, i * 0.01, '2026-01-01Z'::timestamptz + i * interval '1 second' FROM n)
  INSERT INTO ledger_entries (tx_id, line, wallet_id, platform_account, seq, debit_seq, debit_total, amount, balance_after, reference_type,
    reference_id, notes, occurred_at)
  SELECT tx, l, CASE WHEN l = 1 THEN $1::uuid END, CASE WHEN l = 2 THEN 'cash' END, CASE WHEN l = 1 THEN i END,
         CASE WHEN l = 1 THEN 0 END, CASE WHEN l = 1 THEN 0 END, CASE WHEN l = 1 THEN 0.01 ELSE -0.01 END, CASE WHEN l = 1 THEN i * 0.01 END, 'Deposit',
         tx::text, 'Transfer no. ' || i, '2026-01-01Z'::timestamptz + i * interval '1 second'
  FROM n, generate_series(1, 2) l ORDER BY i, l`;

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  const result = await work();
  clearInterval(watch);
  const ms = Math.round(performance.now() - startedAt);
  say(
    `${name}: ${ms} ms, memory ${mib(before)} MiB before, ${mib(Math.max(most, process.memoryUsage.rss()))} MiB at most`,
  );
  return result;
}

const mib = (bytes: number): number => Math.round(bytes / 1024 / 1024);

async function main(): Promise<void> {
  await applyMigrations({ connectionString, directory: path.resolve('apps/finance/prisma/migrations'), log });
  const pool = createPool({ connectionString, max: 2, name: 'bench', log, statementTimeoutMs: 120_000 });
  const statements = new StatementRepository(new PrismaClient({ adapter: createPrismaAdapter(pool) }));
  const ledgerReports = new LedgerReportRepository(pool);
  const verifications = new VerificationRepository(pool);
  const [walletId, partnerId] = [uuidv7(), uuidv7()];
  await pool.query(
    `INSERT INTO wallets (id, partner_id, environment, posted, last_seq, last_entry_at)
     VALUES ($1, $2, 'live', $3::int * 0.01, $3::int, '2026-06-01Z')`,
    [walletId, partnerId, lines],
  );
  await pool.query(SEED, [walletId, lines]);
  await pool.query('ANALYZE');
  const id = uuidv7();
  const period = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-06-01T00:00:00Z') };
  const partner = {
    globalId: `PRT-${partnerId.slice(-6)}`,
    name: 'Bench',
    taxRegistrationNumber: undefined,
    billingEmail: undefined,
  };
  const email = { to: undefined, status: 'Skipped', reason: 'bench' } as const;
  const wallet = { partnerId, environment: 'live' } as const;
  const report = await ledgerReports.report(wallet, period);
  if (!report) throw new Error('the ledger gave no report');
  await timed(`make ${lines} lines`, () =>
    statements.create({
      id,
      wallet,
      report,
      period,
      partner,
      platformTaxRegistrationNumber: undefined,
      email,
    }),
  );
  const statement = await statements.find(id);
  if (!statement) throw new Error('the statement was not made');
  const read = (piece: number) => statements.storedLines(id, piece);
  await timed(`read ${piecesOf(statement.document)} pieces`, async () => {
    let seen = 0;
    for await (const piece of linesOf(statement.document, read)) seen += piece.length;
    if (seen !== lines) throw new Error(`read ${seen} of ${lines} lines`);
  });
  await timed('render the PDF', async () => {
    let bytes = 0;
    for await (const part of statementPdf(statement, linesOf(statement.document, read))) bytes += part.length;
    say(`  ${bytes} bytes`);
  });
  const { differences } = await timed('hold it against the ledger', () =>
    verifyStatement({ statements, ledgerReports, verifications }, statement),
  );
  say(differences.length === 0 ? '  the same' : `  ${differences.join('; ')}`);
  await pool.end();
}

void main();
