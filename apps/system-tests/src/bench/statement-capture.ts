import { openSync, closeSync, fstatSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A statement as PostgreSQL logged its execution. */
interface LoggedStatement {
  readonly pid: string;
  readonly database: string;
  readonly sql: string;
  /** Text of each parameter, null for NULL. */
  readonly parameters: readonly (string | null)[];
}

const PREFIX = '@@%p|%d@@';
const ENTRY = /^@@(\d+)\|([^@]*)@@(\w+): {2}(.*)$/;
const SETTLE_MS = 1_000;

/**
 * Returns the statements that a piece of work makes the services execute, in their order, read from PostgreSQL's own
 * log, so that a yardstick of "the order's own SQL" can never differ from what the services really send.
 */
export async function captureStatements(input: {
  /** As superuser; logging is switched on for the whole server and off again. */
  adminUrl: string;
  logFile: string;
  work: () => Promise<void>;
}): Promise<LoggedStatement[]> {
  const admin = new pg.Client({ connectionString: input.adminUrl });
  await admin.connect();
  const log = openSync(input.logFile, 'r');
  try {
    await admin.query(`ALTER SYSTEM SET log_line_prefix = '${PREFIX}'`);
    await admin.query(`ALTER SYSTEM SET log_statement = 'all'`);
    await admin.query('SELECT pg_reload_conf()');
    await pause(SETTLE_MS);
    const offset = fstatSync(log).size;
    await input.work();
    await pause(SETTLE_MS);
    return parseLog(readFrom(log, offset));
  } finally {
    await admin.query('ALTER SYSTEM RESET log_statement');
    await admin.query('ALTER SYSTEM RESET log_line_prefix');
    await admin.query('SELECT pg_reload_conf()');
    closeSync(log);
    await admin.end();
  }
}

function readFrom(file: number, offset: number): string {
  const buffer = Buffer.alloc(fstatSync(file).size - offset);
  readSync(file, buffer, 0, buffer.length, offset);
  return buffer.toString('utf8');
}

/** Turns log text into statements: an entry may run over several lines, and DETAIL holds the parameters. */
function parseLog(text: string): LoggedStatement[] {
  const statements: { pid: string; database: string; sql: string; parameters: (string | null)[] }[] = [];
  for (const { pid, database, severity, message } of entries(text)) {
    const executed = /^(?:execute [^:]*|statement): ([\s\S]*)$/.exec(message);
    if (severity === 'LOG' && executed?.[1])
      statements.push({ pid, database, sql: executed[1], parameters: [] });
    const last = statements.at(-1);
    if (severity === 'DETAIL' && last?.pid === pid && /^parameters: /i.test(message)) {
      last.parameters = parseParameters(message.slice('parameters: '.length));
    }
  }
  return statements;
}

function* entries(
  text: string,
): Generator<{ pid: string; database: string; severity: string; message: string }> {
  let open: { pid: string; database: string; severity: string; message: string } | undefined;
  for (const line of text.split('\n')) {
    const match = ENTRY.exec(line);
    if (match) {
      if (open) yield open;
      const [, pid = '', database = '', severity = '', message = ''] = match;
      open = { pid, database, severity, message };
    } else if (open && line.startsWith('\t')) open.message += `\n${line.slice(1)}`;
  }
  if (open) yield open;
}

/** `$1 = 'it''s', $2 = NULL` as a list. */
function parseParameters(text: string): (string | null)[] {
  const found: (string | null)[] = [];
  for (const match of text.matchAll(/\$(\d+) = (?:NULL|'((?:[^']|'')*)')(?:, |$)/g)) {
    found[Number(match[1]) - 1] = match[2] === undefined ? null : match[2].replaceAll("''", "'");
  }
  return found;
}
