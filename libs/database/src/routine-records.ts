import type { Client } from 'pg';
import type { RoutineFile } from './routine-files';
import { hasTable } from './has-table';

const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS _routines (
  name       text        PRIMARY KEY,
  checksum   text        NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)`;

/** How a pending routine is named beside migrations. */
export const routinePath = ({ name }: Pick<RoutineFile, 'name'>): string => `routines/${name}.sql`;

/** The routines that the database does not have, or has in another form. */
export async function findChangedRoutines(client: Client, routines: RoutineFile[]): Promise<RoutineFile[]> {
  if (!(await hasTable(client, '_routines'))) return routines;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM _routines',
  );
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return routines.filter(({ name, checksum }) => applied.get(name) !== checksum);
}

/** Defines the routines and records their checksums, in the caller's transaction. */
export async function applyRoutines(client: Client, routines: RoutineFile[]): Promise<void> {
  if (routines.length === 0) return;
  await client.query(CREATE_TABLE);
  // A routine may call one that comes after it.
  await client.query('SET LOCAL check_function_bodies = off');
  for (const routine of routines) {
    await client.query(routine.script).catch((error: unknown) => {
      throw Object.assign(error as Error, {
        message: `${routinePath(routine)}: ${(error as Error).message}`,
      });
    });
    await client.query(
      `INSERT INTO _routines (name, checksum) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = clock_timestamp()`,
      [routine.name, routine.checksum],
    );
  }
}
