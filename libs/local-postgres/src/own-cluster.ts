import { chmodSync, chownSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Makes a data directory the account's own and nobody else's, as PostgreSQL insists. */
export function ownCluster(directory: string, account: { uid: number; gid: number } | undefined): void {
  chmodSync(directory, 0o700);
  if (!account) return;
  chownSync(directory, account.uid, account.gid);
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true }))
    chownSync(path.join(entry.parentPath, entry.name), account.uid, account.gid);
}
