import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a service's own role may do with its tables: SQL in which the role is written `:"runtime"`, as psql takes it. */
export interface GrantFile {
  script: string;
  checksum: string;
}

/** How pending grants are named beside migrations. */
export const GRANTS_PATH = 'grants.sql';

/** The grants that belong to a directory of migrations, `grants.sql` beside it; undefined where there are none. */
export function readGrants(migrations: string): GrantFile | undefined {
  const file = path.join(migrations, '..', GRANTS_PATH);
  if (!existsSync(file)) return undefined;
  const script = readFileSync(file, 'utf8');
  return { script, checksum: createHash('sha256').update(script).digest('hex') };
}
