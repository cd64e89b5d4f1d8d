import { initialiseCluster, spawnPostgres, stopPostgres } from '@reseller/local-postgres';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { chooseFreePorts } from '../ports';
import {
  createDatabases,
  databaseUrls,
  localServer,
  POSTGRES_USER,
  type DatabaseSecrets,
} from '../postgres/databases';
import { importExampleCatalog } from '../seed/import-catalog';
import { migratedServices, preparedCluster } from './prepared-cluster';
import { makeSpareCopy } from './spare-copy';

const STOP_MS = 30_000;
// What is made here is made whole or thrown away: nothing has to be on disk before the clean end.
const SETTINGS = {
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Each copy carries the log's files along.
  wal_recycle: 'off',
  min_wal_size: '32MB',
  log_min_messages: 'fatal',
};

/**
 * Makes the cluster that new data directories are copies of, with every database migrated and nothing in it but the example catalog,
 * and one copy of it in advance, unless they are there already. Its passwords are random and forgotten: a copy gets those of its
 * installation. Clusters of other builds are removed.
 */
export async function prepareCluster(bundle: string): Promise<void> {
  const directory = preparedCluster(bundle);
  if (!existsSync(directory)) await makeCluster(bundle, directory);
  makeSpareCopy(directory);
}

async function makeCluster(bundle: string, directory: string): Promise<void> {
  const all = path.resolve(directory, '../..');
  rmSync(all, { recursive: true, force: true });
  mkdirSync(all, { recursive: true });
  // By rename at the end: a build that was interrupted leaves nothing that a start would take for whole.
  const draft = mkdtempSync(path.join(all, 'draft-'));
  try {
    await fillCluster(bundle, path.join(draft, 'postgres'));
    renameSync(draft, path.dirname(directory));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function fillCluster(bundle: string, directory: string): Promise<void> {
  const secrets: DatabaseSecrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    databasePasswordKey: randomBytes(32).toString('base64url'),
  };
  initialiseCluster({ directory, user: POSTGRES_USER, password: secrets.postgresPassword });
  const [port = 0] = await chooseFreePorts(1);
  const server = spawnPostgres({ directory, port, settings: SETTINGS }, ['ignore', 'ignore', 'inherit']);
  const ended = once(server, 'exit').then(() => Promise.reject(new Error('PostgreSQL ended, see above')));
  const fill = async (): Promise<void> => {
    const address = localServer(port, secrets);
    await createDatabases(address, secrets);
    const urls = databaseUrls(address, secrets);
    const migrations = migratedServices(bundle).map(({ owner, folder }) =>
      promisify(execFile)(process.execPath, [path.join(folder, 'migrate.js')], {
        env: { DATABASE_MIGRATION_URL: urls[owner].owner, DATABASE_URL: urls[owner].runtime },
      }),
    );
    await Promise.all(migrations);
    await importExampleCatalog(bundle, urls['scent-commerce'].runtime);
  };
  try {
    await Promise.race([fill(), ended]);
  } finally {
    await stopPostgres(server, STOP_MS);
  }
}
