import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { performAs } from '../context.ts';
import { EXIT_CODES, UsageError } from '../exit-codes.ts';

interface ReconcileOptions {
  product: 'Topup' | 'Esim' | 'Scent';
  from: string;
  to: string;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** A file's text; a UsageError where it cannot be read or is not UTF-8, for what stood in place of a letter would differ from ours. */
export function textOf(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8: save it as such`);
  }
}

/** `reseller reconcile`: compare a file of your orders with ours. */
export function addReconcile(program: Command): void {
  program
    .command('reconcile <file>')
    .description(
      'compare your orders with ours: a CSV whose header row names externalReference, amount and status',
    )
    .addOption(
      new Option('--product <product>', 'of which product')
        .choices(['Topup', 'Esim', 'Scent'])
        .makeOptionMandatory(),
    )
    .requiredOption('--from <time>', 'submitted at or after, as 2026-11-01T00:00:00Z')
    .requiredOption('--to <time>', 'submitted before')
    .action((file: string, { product, from, to }: ReconcileOptions, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const csv = textOf(file);
        const made = await output.during(`comparing ${file} with ours`, () =>
          client.createReconciliation(
            { productType: product, fromDate: from, toDate: to, csv },
            { timeoutMs: 120_000 },
          ),
        );
        const { reconciliationId, rows, matched, differences } = made;
        const found = Object.values(differences).reduce((sum, count) => sum + count, 0);
        output.say(`${rows} rows, ${matched} the same, ${found} differences (${reconciliationId})`);
        if (found === 0 && output.json) output.record(made);
        if (found === 0) return;
        process.exitCode = EXIT_CODES.business;
        await output.list(
          client.listDifferences({ id: reconciliationId, pageSize: 100 }),
          {
            DIFFERENCE: ({ kind }) => kind,
            REFERENCE: ({ externalReference }) => externalReference,
            ROW: ({ row }) => row,
            'YOUR AMOUNT': ({ theirAmount }) => theirAmount,
            'OUR AMOUNT': ({ ourAmount }) => ourAmount,
            'YOUR STATUS': ({ theirStatus }) => theirStatus,
            'OUR STATUS': ({ ourStatus }) => ourStatus,
          },
          Infinity,
        );
      }),
    );
}
