import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readMigrations } from '../../src/migration-files';
import { appsWithBaseline, migrationsOf, sealed, type Sealed } from './all-services';
import { findFaults, nothingKnown } from './rules';

const root = path.resolve(__dirname, '../../../..');
const now = JSON.parse(
  execFileSync(process.execPath, ['libs/toolchain/seal-migrations.mjs', '--print'], {
    cwd: root,
    encoding: 'utf8',
  }),
) as Sealed;
const changed = (part: keyof Sealed): string[] =>
  Object.keys(sealed[part]).filter((key) => now[part][key] !== sealed[part][key]);

describe('the migrations of all services', () => {
  it('when they are compared with the sealed list, then none was edited, renamed or removed', () => {
    expect(changed('migrations')).toEqual([]);
  });

  it.each(['routines', 'grants'] as const)(
    'when %s have changed, then a migration came with them, since its name says which is newer',
    (part) => {
      const last = Object.keys(now[part]);
      expect(changed(part).filter((key) => last.includes(key))).toEqual([]);
    },
  );

  it('when a routine takes or returns something else, then it has another name, since the old version calls the old one', () => {
    expect(changed('signatures').filter((key) => now.signatures[key] !== undefined)).toEqual([]);
  });

  it('when a migration or routine is new, then it is sealed, with `npm run migrations:seal`, before it goes to main', () => {
    const open = (['migrations', 'routines', 'grants', 'signatures'] as const).flatMap((part) =>
      Object.keys(now[part]).filter((key) => sealed[part][key] === undefined),
    );
    expect(open).toEqual([]);
  });

  it('when one is named, then by its time', () => {
    const names = Object.keys(now.migrations).map((key) => key.split('/')[1] ?? '');
    expect(names.filter((name) => !/^20\d{12}_[a-z0-9_]+$/.test(name))).toEqual([]);
  });

  it.each(appsWithBaseline)(
    'when the version before runs beside the newer schema of %s, then no new statement breaks or stops it',
    async (app) => {
      const known = nothingKnown();
      const faults: string[] = [];
      for (const { name, script } of readMigrations(migrationsOf(app))) {
        const found = await findFaults(script, known);
        faults.push(...found.map(({ statement, why }) => `${name}: ${statement} -- ${why}`));
      }
      expect(faults).toEqual([]);
    },
  );
});
