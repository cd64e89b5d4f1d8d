import { parseArgs } from 'node:util';
import { createPool, databaseAddress } from '@reseller/database';
import {
  baseConfig,
  createLogger,
  databaseConfig,
  loadConfig,
  oneOf,
  reporting,
  runCommand,
  type CommandCall,
} from '@reseller/service-kit';
import type { Pool } from 'pg';
import { z } from 'zod';
import { listArchives, type ArchivedObject } from './archive.repository';
import { archiveAddress, archiveConfig } from './config';
import { loadObject } from './load-object';
import { ObjectStore } from './object-store';
import { printRows, type PrintOptions } from './print-rows';
import { verifyObjects } from './verify-objects';

const CONNECTIONS = 2;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const FORMATS = ['csv', 'json'] as const;

/** All that the command reads from its environment. */
const commandConfig = z.object({
  LOG_LEVEL: baseConfig.LOG_LEVEL,
  NODE_ENV: baseConfig.NODE_ENV,
  PLAINTEXT_ALLOWED: baseConfig.PLAINTEXT_ALLOWED,
  DATABASE_MIGRATION_URL: baseConfig.DATABASE_MIGRATION_URL,
  ...databaseConfig,
  ...archiveConfig,
});

/** Whose archive, and how the command was called. */
interface ArchiveCommand extends CommandCall {
  readonly name: string;
  readonly tables: readonly string[];
}

const usage = (
  name: string,
  tables: readonly string[],
): string => `What ${name} has archived (docs/platform/archive.md): ${tables.join(', ')}.

  node dist/apps/${name}/archive.js list [<table>] [--from <day>] [--to <day>]
  node dist/apps/${name}/archive.js print <table> [--from <day>] [--to <day>] [--where <column>=<value>]... [--format ${FORMATS.join('|')}]
  node dist/apps/${name}/archive.js verify [<table>] [--from <day>] [--to <day>]
  node dist/apps/${name}/archive.js load <table> [--from <day>] [--to <day>]

  --from, --to  days in UTC, both included, YYYY-MM-DD
  --where       only rows whose column is this; all of several
  --format      lines of CSV with a head line (the default), or of JSON

verify reads every object and compares its SHA-256. load puts rows into the table archive.<table> of DATABASE_MIGRATION_URL, or else
of DATABASE_URL. Reads DATABASE_URL, ARCHIVE_URL and what reaches the store. Ends with 0, or 1 when it could not be done, or an
object is not what was archived.`;

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  where: { type: 'string', multiple: true },
  format: { type: 'string', default: 'csv' },
  help: { type: 'boolean', default: false },
} as const;

/** Runs the command and returns its exit code: 0 done, 1 not done. */
export async function runArchiveCommand(command: ArchiveCommand): Promise<number> {
  const closing: Closing = [];
  const code = await reporting(command, () => archive(command, closing));
  for (const close of closing) await close();
  return code;
}

/** All of a service's src/commands/archive.ts. */
export function archiveCommand(of: Pick<ArchiveCommand, 'name' | 'tables'>): void {
  runCommand((call) => runArchiveCommand({ ...of, ...call }));
}

type Closing = (() => Promise<void>)[];

async function archive(command: ArchiveCommand, closing: Closing): Promise<number> {
  const { name, tables, args, env, say } = command;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb, table] = positionals;
  if (values.help || !verb) {
    say(usage(name, tables));
    return values.help ? 0 : 1;
  }
  if (table !== undefined && !tables.includes(table))
    throw new Error(`${table} is not archived; these are: ${tables.join(', ')}`);
  if (table === undefined && (verb === 'print' || verb === 'load'))
    throw new Error(`${verb} needs a table; see --help`);
  const range = { table, from: dayOf('from', values.from), to: dayOf('to', values.to) };
  const config = loadConfig(commandConfig, env);
  const address = archiveAddress(config);
  if (!address) throw new Error('ARCHIVE_URL is missing: expected s3://bucket or s3://bucket/prefix');
  const open = (settings: Parameters<typeof databaseAddress>[0]): Pool => {
    const log = createLogger({ name, level: config.LOG_LEVEL });
    // A day may take its time, and nobody waits for this.
    const limits = { statementTimeoutMs: 0, transactionTimeoutMs: 0, idleInTransactionTimeoutMs: 0 };
    const pool = createPool({
      ...databaseAddress(settings),
      max: CONNECTIONS,
      name: 'archive-command',
      log,
      ...limits,
    });
    closing.push(() => pool.end());
    return pool;
  };
  const store = new ObjectStore(address);
  closing.push(() => store.close());
  const found = await listArchives(open(config), range);
  if (verb === 'list') return listed(found, store, say);
  if (verb === 'verify') return await verifyObjects(found, store, command);
  if (verb === 'print') {
    const how: PrintOptions = {
      format: oneOf('format', FORMATS, values.format),
      where: (values.where ?? []).map(condition),
    };
    await printRows(found, store, how, say);
    return 0;
  }
  if (verb === 'load') {
    const target = open({ DATABASE_URL: config.DATABASE_MIGRATION_URL ?? config.DATABASE_URL });
    for (const object of found) {
      await loadObject(target, store, object);
      say(`${object.rows} rows of ${object.day} in archive.${object.table}`);
    }
    return 0;
  }
  throw new Error(`${verb} is none of list, print, verify and load; see --help`);
}

function listed(found: readonly ArchivedObject[], store: ObjectStore, say: CommandCall['say']): number {
  for (const { day, table, rows, bytes, object } of found)
    say([day, table, `${rows} rows`, `${bytes} bytes`, store.urlOf(object)].join('  '));
  return 0;
}

function dayOf(option: string, day: string | undefined): string | undefined {
  if (day !== undefined && !DAY.test(day))
    throw new Error(`--${option} must be a day such as 2026-10-27, not ${day}`);
  return day;
}

function condition(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`--where must be <column>=<value>, not ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
