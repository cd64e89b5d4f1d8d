import { applyMigrations, createPool } from '@reseller/database';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CatalogFileError } from '../import/catalog-file';
import { settleCatalog } from '../import/catalog-import.repository';
import { importCatalog, type ImportReport } from '../import/import-catalog';

const USAGE = `Brings a catalog file into scent-commerce's database (DATABASE_URL).

  node dist/apps/scent-commerce/import.js --file catalog.csv [--dry-run] [--all-or-nothing]

  --file            .csv with a line of column names, .jsonl with one object a line, or .json with an array
  --dry-run         checks the file and writes nothing
  --all-or-nothing  one bad row keeps all rows out; without it the good ones are taken over

Ends with 0 when every row was taken over, 1 when rows were bad, 2 when nothing could be done.`;

const PROGRESS_EVERY_MS = 1_000;
const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      file: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'all-or-nothing': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { file } = values;
  const connectionString = process.env['DATABASE_DIRECT_URL'] || process.env['DATABASE_URL'];
  if (values.help || file === undefined || !connectionString) {
    complain(connectionString || values.help || file === undefined ? USAGE : 'DATABASE_URL is missing');
    return values.help ? 0 : 2;
  }
  await applyMigrations({ connectionString, directory: path.join(__dirname, 'migrations'), log: silent });
  const pool = createPool({
    connectionString,
    max: 2,
    name: 'scent-import',
    log: silent,
    transactionTimeoutMs: 0,
  });
  try {
    const allOrNothing = values['all-or-nothing'];
    const report = await importCatalog(pool, {
      file,
      dryRun: values['dry-run'],
      allOrNothing,
      now: new Date(),
      onProgress: progress(),
    });
    if (report.created + report.updated > 0) await settleCatalog(pool);
    printReport(report, values['dry-run']);
    return report.badRows > 0 ? 1 : 0;
  } finally {
    await pool.end();
  }
}

function progress(): (done: ImportReport) => void {
  let next = Date.now() + PROGRESS_EVERY_MS;
  return ({ rows, badRows }) => {
    if (Date.now() < next) return;
    next = Date.now() + PROGRESS_EVERY_MS;
    complain(`${rows} rows done${badRows > 0 ? `, ${badRows} of them bad` : ''} …`);
  };
}

function printReport(report: ImportReport, isDryRun: boolean): void {
  for (const { row, column, message } of report.faults) say(`row ${row}, ${column}: ${message}`);
  const { rows, badRows, created, updated, unchanged } = report;
  if (badRows > report.faults.length) say('… and more');
  if (report.isWritten) {
    say(
      `${rows} rows: ${created} variants created, ${updated} changed, ${unchanged} as they were, ${badRows} rows bad`,
    );
  } else {
    const why = isDryRun ? 'a dry run' : 'a row was bad and --all-or-nothing was given';
    say(`${rows} rows, ${badRows} of them bad; nothing was written: ${why}`);
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const known = error instanceof CatalogFileError || (error instanceof Error && 'code' in error);
    complain(known ? error.message : String(error instanceof Error ? error.stack : error));
    process.exitCode = 2;
  },
);
