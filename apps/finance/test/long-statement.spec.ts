import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, createPrismaAdapter } from '@reseller/database';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { PrismaClient } from '../src/generated/prisma/client';
import { EmailRepository } from '../src/statement/email/email.repository';
import { piecesOf, type Statement } from '../src/statement/domain/statement';
import { LedgerReportRepository } from '../src/statement/ledger-report.repository';
import { StatementCopyRepository } from '../src/statement/statement-copy.repository';
import { StatementRepository } from '../src/statement/statement.repository';
import { VerificationRepository } from '../src/statement/verification.repository';
import { MIGRATIONS } from './finance-service';
import { longWallet } from './long-wallet';

/** More than are added up by one statement of SQL. */
const LINES = 24_000;
const PIECES = LINES / 500;
const PIECES_A_STEP = PIECES / 6;
const PERIOD = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') };

let database: TestDatabase;
let prisma: PrismaClient;
let statements: StatementRepository;
let ledgerReports: LedgerReportRepository;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  prisma = new PrismaClient({ adapter: createPrismaAdapter(database.servicePool) });
  statements = new StatementRepository(prisma);
  ledgerReports = new LedgerReportRepository(database.servicePool);
});
afterAll(async () => {
  await prisma.$disconnect();
  await database.drop();
});

async function makeStatement(): Promise<{ statement: Statement; outcome: string }> {
  const client = await database.pool.connect();
  const wallet = await longWallet(client, LINES);
  client.release();
  const report = await ledgerReports.report(wallet, PERIOD);
  const id = uuidv7();
  const outcome = await statements.create({
    id,
    wallet,
    period: PERIOD,
    report: report!,
    partner: {
      globalId: 'PRT-000001',
      name: 'Long',
      taxRegistrationNumber: undefined,
      billingEmail: 'a@b.example',
      language: 'en',
    },
    platformTaxRegistrationNumber: undefined,
    email: { to: 'a@b.example', status: 'Pending', reason: undefined },
  });
  return { statement: (await statements.find(id))!, outcome };
}

const verifications = () => new VerificationRepository(database.servicePool);
/** How many lines it has, and a digest of them. */
const linesOf = async (statement: Statement): Promise<{ count: number; sha256: string }> => {
  const hash = createHash('sha256');
  let count = 0;
  for (let piece = 0; piece <= piecesOf(statement.document); piece += 1) {
    const lines = await ledgerReports.statementLines(statement, piece);
    count += lines.length;
    for (const line of lines) hash.update(JSON.stringify(line));
  }
  return { count, sha256: hash.digest('hex') };
};

/** A copy that dies while it writes: the connection of one that waits for a piece somebody else is writing is ended. */
async function crashWhileCopying(pool: Pool, statement: Statement): Promise<void> {
  const blocker = await database.pool.connect();
  await blocker.query('BEGIN');
  await blocker.query(`INSERT INTO statement_pieces VALUES ($1, $2, '[]')`, [
    statement.id,
    PIECES_A_STEP + 2,
  ]);
  const crashed = new StatementCopyRepository(pool).copyNext(PIECES_A_STEP).then(
    () => 'copied',
    () => 'crashed',
  );
  await eventually(async () => {
    const { rows } = await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'dies' AND wait_event_type = 'Lock' AND datname = current_database()`,
    );
    expect(rows).toHaveLength(1);
  });
  expect(await crashed).toBe('crashed');
  await blocker.query('ROLLBACK');
  blocker.release();
}

describe('a statement of many lines', () => {
  it('when its copying crashes between and within pieces, then it is whole from the start, and others copy the rest exactly once', async () => {
    const { statement, outcome } = await makeStatement();
    expect(outcome).toBe('copying');
    expect(statement.document).toMatchObject({ totalDebits: '16000.00', totalCredits: '16000.00' });
    const whole = await linesOf(statement);
    expect(whole.count).toBe(LINES);

    const copies = new StatementCopyRepository(database.servicePool);
    expect(await copies.copyNext(PIECES_A_STEP)).toBe('advanced');
    const dying = createPool({ connectionString: database.serviceUrl, max: 1, name: 'dies', log: silentLog });
    await crashWhileCopying(dying, statement);
    await dying.end();
    expect(await verifications().countPieces(statement.id)).toEqual({
      count: PIECES_A_STEP,
      copiedSoFar: PIECES_A_STEP,
    });
    expect(await linesOf(statement)).toEqual(whole);
    expect(await new EmailRepository(database.servicePool).claim(60_000)).toBeUndefined();

    const steps: string[] = [];
    const another = async (): Promise<void> => {
      for (let step = ''; step !== 'completed' && !steps.includes('completed'); steps.push(step)) {
        step = await copies.copyNext(PIECES_A_STEP);
      }
    };
    await Promise.all([another(), another()]);
    expect(steps.filter((step) => step === 'advanced')).toHaveLength(4);
    expect(await copies.copyNext(PIECES_A_STEP)).toBe('nothing to do');
    expect(await verifications().countPieces(statement.id)).toEqual({ count: PIECES, copiedSoFar: null });
    for (let piece = 0; piece < PIECES; piece += 1) {
      expect(await verifications().isSamePiece(statement, piece)).toBe(true);
    }
    expect(await verifications().rebuildHead(statement)).toEqual(statement);
    expect(await linesOf(statement)).toEqual(whole);
    expect(await new EmailRepository(database.servicePool).claim(60_000)).toMatchObject({
      id: statement.id,
      environment: 'live',
    });
  }, 120_000);
});
