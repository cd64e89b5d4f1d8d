import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The statement of SQL that took longest, as PostgreSQL logged it. */
interface LongestStatement {
  readonly ms: number;
  /** The name it was prepared under, or how it begins. */
  readonly name: string;
  /** How many took longer than 50 ms; where none did, `ms` is 0. */
  readonly count: number;
}

const PREFIX = '@@%a|%d@@';
const ENTRY = /^@@([^|]*)\|([^@]*)@@LOG: {2}duration: ([\d.]+) ms {2}(?:execute ([^:]*)|statement): (.*)$/;
const SETTLE_MS = 1_000;
/** All of them would fill the log so fast that the platform moves it away meanwhile. */
const LOGGED_FROM_MS = 50;

/** Runs a piece of work and returns the longest statement that processes other than this one executed in a database meanwhile. */
export async function longestStatement(input: {
  /** As superuser; logging is switched on for the whole server and off again. */
  adminUrl: string;
  logFile: string;
  work: () => Promise<void>;
}): Promise<LongestStatement> {
  const admin = new pg.Client({ connectionString: input.adminUrl });
  await admin.connect();
  try {
    await admin.query(`ALTER SYSTEM SET log_line_prefix = '${PREFIX}'`);
    await admin.query(`ALTER SYSTEM SET log_min_duration_statement = ${LOGGED_FROM_MS}`);
    await admin.query('ALTER SYSTEM SET log_parameter_max_length = 0');
    await admin.query('SELECT pg_reload_conf()');
    await pause(SETTLE_MS);
    const offset = statSync(input.logFile).size;
    await input.work();
    await pause(SETTLE_MS);
    return await longestIn(input.logFile, offset, new URL(input.adminUrl).pathname.slice(1));
  } finally {
    await admin.query('ALTER SYSTEM RESET log_min_duration_statement');
    await admin.query('ALTER SYSTEM RESET log_parameter_max_length');
    await admin.query('ALTER SYSTEM RESET log_line_prefix');
    await admin.query('SELECT pg_reload_conf()');
    await admin.end();
  }
}

async function longestIn(file: string, start: number, database: string): Promise<LongestStatement> {
  let longest: LongestStatement = { ms: 0, name: 'none', count: 0 };
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file, { start }) })) {
    const [, application, where, ms, name, text = ''] = ENTRY.exec(line) ?? [];
    // What this process reads to follow the work has no application's name.
    if (where !== database || application === '' || application === '[unknown]') continue;
    count += 1;
    if (Number(ms) > longest.ms) longest = { ms: Number(ms), name: name ?? text.slice(0, 40), count };
  }
  return { ...longest, count };
}
