import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPreparedCluster, preparedCluster, spareCopyOf } from '../src/prepared/prepared-cluster';
import { makeSpareCopy } from '../src/prepared/spare-copy';

describe('the cluster that new data directories are copies of', () => {
  let build: string;
  const bundle = (): string => path.join(build, 'apps/local-platform/main.js');
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(build, file)), { recursive: true });
    writeFileSync(path.join(build, file), text);
  };
  beforeEach(() => {
    build = mkdtempSync(path.join(tmpdir(), 'build-'));
    write('apps/finance/migrate.js', '');
    write('apps/finance/migrations/1_wallets/migration.sql', 'CREATE TABLE wallets ()');
    write('apps/finance/grants.sql', '');
  });
  afterEach(() => rmSync(build, { recursive: true }));

  it('when the set-up has run, then there is one for this build', () => {
    const built = path.resolve(__dirname, '../../../dist/apps/local-platform/main.js');
    expect(findPreparedCluster(built)).toBe(preparedCluster(built));
  });

  it('when a migration, a routine, a grant or the catalog is another, then the cluster of before is not taken', () => {
    const places = new Set([preparedCluster(bundle())]);
    write(path.relative(build, path.join(preparedCluster(bundle()), 'PG_VERSION')), '18');
    expect(findPreparedCluster(bundle())).toBeDefined();
    for (const file of [
      'migrations/1_wallets/migration.sql',
      'migrations/2_more/migration.sql',
      'routines/apply.sql',
      'grants.sql',
      'import.js',
      'data/example-catalog.csv',
    ]) {
      write(`apps/finance/${file}`, 'SELECT 1');
      places.add(preparedCluster(bundle()));
      expect(findPreparedCluster(bundle())).toBeUndefined();
    }
    expect(places.size).toBe(7);
  });

  it('when its spare copy is gone, then another one is made, and what a process that died had begun is removed', () => {
    const prepared = path.join(build, 'prepared', 'postgres');
    write('prepared/postgres/PG_VERSION', '18');
    write('prepared/draft-old/postgres/PG_VERSION', '18');
    write('prepared/draft-new/postgres/PG_VERSION', '18');
    utimesSync(path.join(build, 'prepared/draft-old'), 0, 0);
    makeSpareCopy(prepared);
    makeSpareCopy(prepared);
    expect(readdirSync(path.dirname(prepared)).sort()).toEqual(['draft-new', 'postgres', 'spare']);
    expect(readFileSync(path.join(spareCopyOf(prepared), 'PG_VERSION'), 'utf8')).toBe('18');
  });
});
