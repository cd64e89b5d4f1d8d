import { initdbArguments, postgresBinaries } from '@reseller/local-postgres';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { databaseNames, type DatabaseOwner } from '../postgres/databases';
import { folderOf } from '../services';

/** The services whose databases this build migrates, with the folders of their bundles. */
export function migratedServices(bundle: string): { owner: DatabaseOwner; folder: string }[] {
  const owners = Object.keys(databaseNames) as DatabaseOwner[];
  return owners
    .map((owner) => ({ owner, folder: folderOf(bundle, owner) }))
    .filter(({ folder }) => existsSync(path.join(folder, 'migrate.js')));
}

/**
 * Where the build keeps the cluster that a new data directory begins as a copy of: by a hash of PostgreSQL and of all that
 * migrates and imports, so that one of another version is never taken. Whether it is there is another question.
 */
export function preparedCluster(bundle: string): string {
  const hash = createHash('sha256');
  const { size, mtimeMs } = statSync(postgresBinaries().postgres);
  hash.update(JSON.stringify([databaseNames, initdbArguments(), size, mtimeMs]));
  for (const { folder } of migratedServices(bundle)) {
    for (const file of sourcesIn(folder)) hash.update(path.relative(folder, file)).update(readFileSync(file));
  }
  const key = hash.digest('hex').slice(0, 16);
  return path.resolve(path.dirname(bundle), '../../prepared-clusters', key, 'postgres');
}

/** The same, where the build has made it; undefined where a new data directory has to be made from nothing. */
export function findPreparedCluster(bundle: string): string | undefined {
  const directory = preparedCluster(bundle);
  return existsSync(path.join(directory, 'PG_VERSION')) ? directory : undefined;
}

/** Where a copy of the prepared cluster is kept for the next new data directory, which takes it away. */
export const spareCopyOf = (prepared: string): string => path.join(path.dirname(prepared), 'spare');

function sourcesIn(folder: string): string[] {
  return ['migrations', 'routines', 'grants.sql', 'import.js', 'data']
    .map((name) => path.join(folder, name))
    .filter((source) => existsSync(source))
    .flatMap((source) =>
      statSync(source).isFile()
        ? [source]
        : readdirSync(source, { withFileTypes: true, recursive: true })
            .filter((entry) => entry.isFile())
            .map((entry) => path.join(entry.parentPath, entry.name))
            .sort(),
    );
}
