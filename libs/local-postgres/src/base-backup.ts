import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from 'pg';

/** Made anew by a server that starts; the log comes from the archive instead. */
const EMPTY_FOLDERS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map|pgsql_tmp.*|pg_internal\.init.*|.*\.signal)$/;
const CONTROL_FILE = 'global/pg_control';

/** What was copied, and between which positions of the log it is inconsistent by itself. */
interface BaseBackup {
  directory: string;
  startLsn: string;
  stopLsn: string;
  files: number;
  bytes: number;
}

/**
 * Copies the data directory of a running server into a new folder, while it serves. The copy is only good together with the
 * archived log from `startLsn` on, which is in the archive when this resolves. `client` is a superuser's, used by nobody
 * else meanwhile. Tablespaces outside of the data directory are refused.
 */
export async function takeBaseBackup(
  client: Client,
  dataDirectory: string,
  into: string,
): Promise<BaseBackup> {
  if ((await readdir(path.join(dataDirectory, 'pg_tblspc'))).length > 0) {
    throw new Error('the cluster has tablespaces of its own; use pg_basebackup with --tablespace-mapping');
  }
  await mkdir(into, { recursive: true, mode: 0o700 });
  const started = await client.query<{ lsn: string }>(
    "SELECT pg_backup_start('base backup', fast => true)::text AS lsn",
  );
  const copied = { files: 0, bytes: 0 };
  await copyFolder(dataDirectory, into, '', copied);
  // Last, so that it is never older than what it speaks of.
  await copyOne(dataDirectory, into, CONTROL_FILE, copied);
  const stopped = await client.query<{ lsn: string; labelfile: string }>(
    'SELECT lsn::text AS lsn, labelfile FROM pg_backup_stop(wait_for_archive => true)',
  );
  const [end] = stopped.rows;
  if (!end) throw new Error('pg_backup_stop returned nothing');
  // Says to recovery where to begin; without it the server would take the copy for one that crashed, and be wrong.
  await writeFile(path.join(into, 'backup_label'), end.labelfile, { mode: 0o600 });
  return { directory: into, startLsn: started.rows[0]?.lsn ?? '', stopLsn: end.lsn, ...copied };
}

async function copyFolder(
  from: string,
  into: string,
  folder: string,
  copied: { files: number; bytes: number },
): Promise<void> {
  for (const entry of await readdir(path.join(from, folder), { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (LEFT_OUT.test(entry.name) || name === CONTROL_FILE) continue;
    if (entry.isDirectory()) {
      await mkdir(path.join(into, name), { recursive: true, mode: 0o700 });
      if (!EMPTY_FOLDERS.has(name)) await copyFolder(from, into, name, copied);
    } else if (entry.isFile()) await copyOne(from, into, name, copied);
  }
}

async function copyOne(
  from: string,
  into: string,
  name: string,
  copied: { files: number; bytes: number },
): Promise<void> {
  const source = path.join(from, name);
  try {
    await copyFile(source, path.join(into, name), constants.COPYFILE_FICLONE);
    copied.files += 1;
    copied.bytes += (await stat(path.join(into, name))).size;
  } catch (error) {
    // A table that is dropped meanwhile; the log knows.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
