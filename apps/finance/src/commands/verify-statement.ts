import { createPool, createPrismaAdapter } from '@reseller/database';
import { isUuid } from '@reseller/rpc';
import { reporting, runCommand, silentLog, type CommandCall } from '@reseller/service-kit';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { PrismaClient } from '../generated/prisma/client';
import { LedgerReportRepository } from '../statement/ledger-report.repository';
import { printStatement } from '../statement/print-statement';
import { StatementRepository } from '../statement/statement.repository';
import { VerificationRepository } from '../statement/verification.repository';
import { verifyStatement } from '../statement/verify-statement';

const USAGE = `Rebuilds statements from the ledger and compares them with what was issued, byte for byte (DATABASE_URL).

  node dist/apps/finance/verify-statement.js --id <statement id> [--pdf <file>]
  node dist/apps/finance/verify-statement.js --all

  --pdf   also writes the statement's PDF, as it was e-mailed

Ends with 0 when all are the same, 1 when one differs, 2 when nothing could be done.`;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const AT_ONCE = 100;
const NOTHING_DONE = 2;

async function run({ args, env, say, complain }: CommandCall): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      id: { type: 'string' },
      all: { type: 'boolean', default: false },
      pdf: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const connectionString = env['DATABASE_DIRECT_URL'] || env['DATABASE_URL'];
  const isClear = values.all ? values.id === undefined && values.pdf === undefined : isUuid(values.id);
  if (values.help || !isClear || !connectionString) {
    complain(isClear && !values.help ? 'DATABASE_URL is missing' : USAGE);
    return values.help ? 0 : NOTHING_DONE;
  }
  const pool = createPool({
    connectionString,
    max: 2,
    name: 'verify-statement',
    log: silentLog,
    transactionTimeoutMs: 0,
  });
  try {
    const statements = new StatementRepository(new PrismaClient({ adapter: createPrismaAdapter(pool) }));
    const deps = {
      ledgerReports: new LedgerReportRepository(pool),
      verifications: new VerificationRepository(pool),
    };
    let differing = 0;
    for await (const id of values.all ? allIds(statements) : [values.id ?? '']) {
      const statement = await statements.find(id);
      if (!statement) {
        complain(`there is no statement ${id}`);
        return NOTHING_DONE;
      }
      const result = await verifyStatement(deps, statement);
      const { statementNumber, lines, differences, pdfSha256 } = result;
      const verdict = differences.length === 0 ? 'same' : `DIFFERS: ${differences.join('; ')}`;
      say(
        `${statementNumber} (${statement.environment}), ${lines} lines, PDF sha256 ${pdfSha256}: ${verdict}`,
      );
      if (differences.length > 0) differing += 1;
      if (values.pdf !== undefined) {
        const pdf = printStatement(statement, (piece) => deps.ledgerReports.statementLines(statement, piece));
        await pipeline(Readable.from(pdf), createWriteStream(values.pdf));
      }
    }
    return differing > 0 ? 1 : 0;
  } finally {
    await pool.end();
  }
}

async function* allIds(statements: StatementRepository): AsyncGenerator<string> {
  for (let after = BEFORE_ALL; ;) {
    const ids = await statements.idsAfter(after, AT_ONCE);
    yield* ids;
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

runCommand((call) => reporting(call, () => run(call), NOTHING_DONE));
