import { applyMigrations, createPool } from '@reseller/database';
import { runCommand, silentLog, type CommandCall } from '@reseller/service-kit';
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
const NOTHING_DONE = 2;

async function run({ args, env, say, complain }: CommandCall): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'all-or-nothing': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { file } = values;
  const connectionString = env['DATABASE_DIRECT_URL'] || env['DATABASE_URL'];
  if (values.help || file === undefined || !connectionString) {
    complain(connectionString || values.help || file === undefined ? USAGE : 'DATABASE_URL is missing');
    return values.help ? 0 : NOTHING_DONE;
  }
  await applyMigrations({ connectionString, directory: path.join(__dirname, 'migrations'), log: silentLog });
  const pool = createPool({
    connectionString,
    max: 2,
    name: 'scent-import',
    log: silentLog,
    transactionTimeoutMs: 0,
  });
  try {
    const allOrNothing = values['all-or-nothing'];
    const report = await importCatalog(pool, {
      file,
      dryRun: values['dry-run'],
      allOrNothing,
      now: new Date(),
      onProgress: progress(complain),
    });
    if (report.created + report.updated > 0) await settleCatalog(pool);
    printReport(report, values['dry-run'], say);
    return report.badRows > 0 ? 1 : 0;
  } finally {
    await pool.end();
  }
}

function progress(complain: CommandCall['complain']): (done: ImportReport) => void {
  let next = Date.now() + PROGRESS_EVERY_MS;
  return ({ rows, badRows }) => {
    if (Date.now() < next) return;
    next = Date.now() + PROGRESS_EVERY_MS;
    complain(`${rows} rows done${badRows > 0 ? `, ${badRows} of them bad` : ''} …`);
  };
}

function printReport(report: ImportReport, isDryRun: boolean, say: CommandCall['say']): void {
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

runCommand(async (call) => {
  try {
    return await run(call);
  } catch (error) {
    const known = error instanceof CatalogFileError || (error instanceof Error && 'code' in error);
    call.complain(known ? error.message : String(error instanceof Error ? error.stack : error));
    return NOTHING_DONE;
  }
});
