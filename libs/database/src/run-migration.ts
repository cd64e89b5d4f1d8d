import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { isRetryable, sqlStateOf } from './database-errors';
import { GRANTS_PATH } from './grant-file';
import { applyGrants, type RoleGrants } from './grant-records';
import type { MigrationFile } from './migration-files';
import { recordMigration } from './migration-records';
import { fillIn, wordedFor } from './older-servers';
import type { RoutineFile } from './routine-files';
import { applyRoutines, routinePath } from './routine-records';

/** How a migration requests locks, in milliseconds. */
export interface LockPatience {
  /** Whatever queues behind the migration's wait for a lock waits no longer than this. */
  lockTimeoutMs: number;
  /** A migration that got no lock is tried again for so long. */
  retryForMs: number;
}

const LONGEST_PAUSE_MS = 10_000;

/** What brings a database from where it is to this version. */
interface SchemaChanges {
  migrations: MigrationFile[];
  routines: RoutineFile[];
  grants?: RoleGrants | undefined;
}

/** What is applied in one go: a migration, or the last one together with changed routines and grants, or these alone. */
interface Step extends Pick<SchemaChanges, 'routines' | 'grants'> {
  name: string;
  migration?: MigrationFile | undefined;
}

/**
 * Applies the migrations one after the other, then routines and grants in the transaction of the last migration. Each
 * step is done whole or not at all, in one transaction that gives up waiting for a lock soon and comes again, so that
 * traffic never queues behind it for long. A script that is one CREATE or DROP INDEX CONCURRENTLY runs outside of a
 * transaction, as it must.
 */
export async function runMigrations(
  client: Client,
  { migrations, routines, grants }: SchemaChanges,
  patience: LockPatience,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const major = await fillIn(client);
  const steps: Step[] = migrations
    .map((migration) => ({ ...migration, script: wordedFor(major, migration.script) }))
    .map((migration) => ({ name: migration.name, migration, routines: [] }));
  const last = steps.at(-1);
  if (last?.migration && !isConcurrent(last.migration.script)) Object.assign(last, { routines, grants });
  else if (routines.length > 0 || grants) {
    const names = [...routines.map(routinePath), ...(grants ? [GRANTS_PATH] : [])];
    steps.push({ name: names.join(', '), routines, grants });
  }
  for (const step of steps) {
    await runPatiently(client, step, patience, log);
    log.info({ migration: step.name, routines: step.routines.map(({ name }) => name) }, 'migration applied');
  }
}

async function runPatiently(
  client: Client,
  step: Step,
  patience: LockPatience,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const startedAt = new Date();
  const { name, migration } = step;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (migration && isConcurrent(migration.script)) await runConcurrently(client, migration, startedAt);
      else await runInTransaction(client, step, patience, startedAt);
      return;
    } catch (error) {
      const isOver = Date.now() - startedAt.getTime() > patience.retryForMs;
      if (isOver || !lostToOthers(error)) {
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      log.warn(
        { migration: name, attempt },
        'a lock was not given in time; nothing was changed, the migration is tried again',
      );
      await pause(restAfter(attempt, patience.lockTimeoutMs));
    }
  }
}

/** Whether other work was in the way: no lock in time, or a deadlock that this side lost. */
function lostToOthers(error: unknown): boolean {
  return sqlStateOf(error) === '55P03' || isRetryable(error);
}

/** Those who queued behind the attempt get at least as long for themselves as they waited. */
function restAfter(attempt: number, lockTimeoutMs: number): number {
  return Math.min(lockTimeoutMs * 2 ** Math.min(attempt - 1, 8), LONGEST_PAUSE_MS) * (1 + Math.random());
}

async function runInTransaction(
  client: Client,
  { migration, routines, grants }: Step,
  { lockTimeoutMs }: LockPatience,
  startedAt: Date,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    if (migration) {
      await client.query(migration.script);
      await recordMigration(client, migration, startedAt);
    }
    await applyRoutines(client, routines);
    if (grants) await applyGrants(client, grants);
    await client.query('COMMIT');
  } catch (error) {
    // A connection that is gone has rolled back already.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const COMMENTS = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
const CONCURRENT =
  /^(create\s+(?:unique\s+)?|drop\s+)index\s+concurrently\s+(?:if\s+(?:not\s+)?exists\s+)?((?:"(?:[^"]|"")+"|[\w$]+)(?:\.(?:"(?:[^"]|"")+"|[\w$]+))?)/i;

function isConcurrent(script: string): boolean {
  return CONCURRENT.test(script.replace(COMMENTS, ''));
}

/**
 * Waits as long as it takes: the lock it requests stops neither readers nor writers. A build that was cut off leaves an
 * index that is not valid and counts for nothing; it goes before the next try.
 */
async function runConcurrently(client: Client, migration: MigrationFile, startedAt: Date): Promise<void> {
  const [, verb = '', index = ''] = CONCURRENT.exec(migration.script.replace(COMMENTS, '')) ?? [];
  const isBuild = /^create/i.test(verb);
  await client.query('SET lock_timeout = 0');
  if (isBuild && (await isInvalid(client, index))) {
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  }
  await client.query(migration.script);
  if (isBuild && (await isInvalid(client, index))) throw new Error(`the index ${index} is not valid`);
  await recordMigration(client, migration, startedAt);
}

async function isInvalid(client: Client, index: string): Promise<boolean> {
  const { rows } = await client.query<{ invalid: boolean }>(
    'SELECT NOT indisvalid AS invalid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [index],
  );
  return rows[0]?.invalid ?? false;
}
