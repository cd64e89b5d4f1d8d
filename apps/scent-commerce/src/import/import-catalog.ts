import { withTransaction, type Queryable } from '@reseller/database';
import { readCatalogFile } from './catalog-file';
import { lockStock, writeBatch } from './catalog-import.repository';
import { readRow, type CatalogRow } from './domain/catalog-row';

type Pool = Parameters<typeof withTransaction>[0];

/** How a file is to be imported. */
export interface ImportOptions {
  file: string;
  /** Reads and checks everything and writes nothing. */
  dryRun: boolean;
  /** A single bad row keeps all others out too. */
  allOrNothing: boolean;
  now: Date;
  onProgress?: ((done: ImportReport) => void) | undefined;
}

/** A row that was not taken over, or not wholly. */
export interface RowFault {
  row: number;
  column: string;
  message: string;
}

/** What became of a file. */
export interface ImportReport {
  rows: number;
  created: number;
  updated: number;
  /** As the file has them already. */
  unchanged: number;
  badRows: number;
  /** The first thousand; badRows counts all. */
  faults: RowFault[];
  /** Nothing was written: a dry run, or a bad row with allOrNothing. */
  isWritten: boolean;
}

const BATCH = 500;
const MAX_REPORTED_FAULTS = 1_000;

/** Ends the one transaction of an import that must be whole and is not. */
class Undone extends Error {}

/**
 * Brings a catalog file in, by sku and name, in batches: memory does not grow with the file but for its skus. Running it
 * again changes nothing. Without allOrNothing each batch is a transaction of its own. Throws CatalogFileError, and nothing is written then.
 */
export async function importCatalog(pool: Pool, options: ImportOptions): Promise<ImportReport> {
  const skus: string[] = [];
  // All of it first, also where bad rows are left out: a file that cannot be read to its end is refused before anything is written.
  const checked = await checkFile(options, skus);
  if (options.dryRun || (options.allOrNothing && checked.badRows > 0)) return checked;
  const report = emptyReport();
  if (!options.allOrNothing) {
    await writeFile(options, report, (rows) => withTransaction(pool, (tx) => writeBatch(tx, rows)));
    return { ...report, isWritten: true };
  }
  try {
    await withTransaction(pool, async (tx: Queryable) => {
      Object.assign(report, emptyReport());
      await lockStock(tx, skus);
      await writeFile(options, report, (rows) => writeBatch(tx, rows));
      if (report.badRows > 0) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    return { ...report, created: 0, updated: 0, unchanged: 0 };
  }
  return { ...report, isWritten: true };
}

const emptyReport = (): ImportReport => ({
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  badRows: 0,
  faults: [],
  isWritten: false,
});

/** Reads and checks all of it; `skus` takes those of the good rows. */
async function checkFile(options: ImportOptions, skus: string[]): Promise<ImportReport> {
  const report = emptyReport();
  for await (const { row } of goodRows(options, report)) skus.push(row.sku);
  return report;
}

async function writeFile(
  { onProgress, ...options }: ImportOptions,
  report: ImportReport,
  write: (rows: CatalogRow[]) => ReturnType<typeof writeBatch>,
): Promise<void> {
  let batch: { number: number; row: CatalogRow }[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const effect = await write(batch.map(({ row }) => row));
    report.created += effect.created;
    report.updated += effect.updated;
    report.unchanged += batch.length - effect.created - effect.updated;
    for (const { sku, environments, reserved } of effect.refusedStock) {
      const message = `is less than the ${reserved} units that running orders have reserved in ${environments.join(' and ')}; the stock there was left as it is`;
      addFaults(report, batch.find(({ row }) => row.sku === sku)?.number ?? 0, [
        { column: 'stockOnHand', message },
      ]);
    }
    batch = [];
    onProgress?.(report);
  };
  for await (const good of goodRows(options, report)) {
    batch.push(good);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

/** The rows that can be taken over; the others are noted in the report. */
async function* goodRows(
  { file, now }: Pick<ImportOptions, 'file' | 'now'>,
  report: ImportReport,
): AsyncGenerator<{ number: number; row: CatalogRow }> {
  const firstRowOf = new Map<string, number>();
  for await (const { number, cells, fault } of readCatalogFile(file)) {
    report.rows += 1;
    if (fault !== undefined) {
      addFaults(report, number, [{ column: 'row', message: fault }]);
      continue;
    }
    const result = readRow(cells, now);
    if ('faults' in result) {
      addFaults(report, number, result.faults);
      continue;
    }
    const first = firstRowOf.get(result.row.sku);
    if (first !== undefined) {
      const message = `${result.row.sku} stands in row ${first} already; a sku may come once`;
      addFaults(report, number, [{ column: 'sku', message }]);
      continue;
    }
    firstRowOf.set(result.row.sku, number);
    yield { number, row: result.row };
  }
}

function addFaults(report: ImportReport, row: number, faults: Omit<RowFault, 'row'>[]): void {
  report.badRows += 1;
  for (const fault of faults) {
    if (report.faults.length < MAX_REPORTED_FAULTS) report.faults.push({ row, ...fault });
  }
}
