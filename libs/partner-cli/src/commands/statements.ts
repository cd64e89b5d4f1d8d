import { writeFileSync } from 'node:fs';
import type { OutputOf } from '@reseller/client';
import type { Command } from 'commander';
import { performAs } from '../context.ts';
import { listing, mostOf, pageFor, type ListOptions } from '../options.ts';

type Listed = Extract<OutputOf<'listStatements', 'string'>, { items: unknown[] }>['items'][number];

/** `reseller statements`: list them, read one, save one as PDF. */
export function addStatements(program: Command): void {
  const statements = program.command('statements').description('billing statements');
  listing(
    statements.command('list', { isDefault: true }).description('your statements, newest first'),
  ).action((options: ListOptions, command: Command) =>
    performAs(command, ({ client, output }) =>
      output.list(
        client.listStatements({ pageSize: pageFor(options) }) as AsyncIterable<Listed>,
        {
          ID: ({ id }) => id,
          NUMBER: ({ statementNumber }) => statementNumber,
          FROM: ({ periodFrom }) => periodFrom,
          TO: ({ periodTo }) => periodTo,
          NET: ({ netPosition, currency }) => `${netPosition} ${currency}`,
        },
        mostOf(options),
      ),
    ),
  );
  statements
    .command('get <id>')
    .description('one statement')
    .option('--pdf <file>', 'save it on paper, as a PDF')
    .action((id: string, { pdf }: { pdf?: string }, command: Command) =>
      performAs(command, async ({ client, observed, output }) => {
        if (!pdf) return output.record(await client.getStatement({ id }));
        const bytes = await output.during(
          'reading the statement',
          (progress) => observed(progress).getStatementPdf({ id }),
          { textOf: (count) => `${(count / 1_000_000).toFixed(1)} MB` },
        );
        writeFileSync(pdf, bytes);
        output.line({ file: pdf, bytes: bytes.length }, `saved ${pdf} (${bytes.length} bytes)`);
      }),
    );
}
