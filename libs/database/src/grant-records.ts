import type { Client } from 'pg';
import { GRANTS_PATH, type GrantFile } from './grant-file';
import { hasTable } from './has-table';

const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS _grants (
  role       text        PRIMARY KEY,
  checksum   text        NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)`;

/** A role, and what it is to be granted. */
export interface RoleGrants {
  role: string;
  file: GrantFile;
}

async function recordedChecksum(client: Client, role: string | undefined): Promise<string | undefined> {
  if (!(await hasTable(client, '_grants'))) return undefined;
  const { rows } = await client.query<{ checksum: string }>(
    'SELECT checksum FROM _grants WHERE role = coalesce($1, current_user)',
    [role],
  );
  return rows[0]?.checksum;
}

/** Whether the role has been granted something else than the file says, or nothing yet. */
export async function haveGrantsChanged(client: Client, { role, file }: RoleGrants): Promise<boolean> {
  return (await recordedChecksum(client, role)) !== file.checksum;
}

/**
 * Whether the connected role was granted what another version says. One that was never granted anything is the tables'
 * owner, and lacks nothing.
 */
export async function areOwnGrantsOutdated(client: Client, file: GrantFile): Promise<boolean> {
  const recorded = await recordedChecksum(client, undefined);
  return recorded !== undefined && recorded !== file.checksum;
}

/** Gives the role what the file says and takes everything else of this schema from it, in the caller's transaction. */
export async function applyGrants(client: Client, { role, file }: RoleGrants): Promise<void> {
  const { rows } = await client.query<{ me: string; database: string }>(
    'SELECT current_user AS me, current_database() AS database',
  );
  const [{ me, database } = { me: '', database: '' }] = rows;
  if (me === role)
    throw new Error(`${role} migrates, so it cannot be the role that the service runs as, too`);
  await client.query(CREATE_TABLE);
  const to = client.escapeIdentifier(role);
  await client.query(`
    GRANT CONNECT ON DATABASE ${client.escapeIdentifier(database)} TO ${to};
    GRANT USAGE ON SCHEMA public TO ${to};
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${to};
    REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ${to};
    GRANT SELECT ON _prisma_migrations, _grants TO ${to};
    DO $$ BEGIN
      IF to_regclass('_routines') IS NOT NULL THEN EXECUTE ${client.escapeLiteral(`GRANT SELECT ON _routines TO ${to}`)}; END IF;
    END $$;`);
  await client.query(file.script.replaceAll(':"runtime"', to)).catch((error: unknown) => {
    throw Object.assign(error as Error, { message: `${GRANTS_PATH}: ${(error as Error).message}` });
  });
  await client.query(
    `INSERT INTO _grants (role, checksum) VALUES ($1, $2)
     ON CONFLICT (role) DO UPDATE SET checksum = excluded.checksum, applied_at = clock_timestamp()`,
    [role, file.checksum],
  );
}
