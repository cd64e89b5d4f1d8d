import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readMigrations } from '../../src/migration-files';
import { appsWithMigrations, migrationsOf, type SealedMigrations } from './all-services';
import { findFaults, nothingKnown } from './rules';

const sealed = JSON.parse(
  readFileSync(path.join(__dirname, '../../migrations.json'), 'utf8'),
) as SealedMigrations;
const all = { ...sealed.earlier, ...sealed.checked };
const migrations = appsWithMigrations.flatMap((app) =>
  readMigrations(migrationsOf(app)).map((migration) => ({ ...migration, key: `${app}/${migration.name}` })),
);

describe('the migrations of all services', () => {
  it('when they are compared with the sealed list, then none was edited, renamed or removed', () => {
    const now = Object.fromEntries(migrations.map(({ key, checksum }) => [key, checksum]));
    const changed = Object.keys(all).filter((key) => now[key] !== all[key]);
    expect(changed).toEqual([]);
  });

  it('when one is new, then it is sealed, with `npm run migrations:seal`, before it goes to main', () => {
    expect(migrations.filter(({ key }) => all[key] === undefined).map(({ key }) => key)).toEqual([]);
  });

  it('when one is named, then by its time, and later than those before it', () => {
    expect(migrations.filter(({ name }) => !/^20\d{12}_[a-z0-9_]+$/.test(name))).toEqual([]);
    for (const app of appsWithMigrations) {
      const names = (part: Record<string, string>): string[] =>
        Object.keys(part).filter((key) => key.startsWith(`${app}/`));
      const last = names(sealed.earlier).sort().at(-1) ?? '';
      expect(names(sealed.checked).filter((key) => key <= last)).toEqual([]);
    }
  });

  it.each(appsWithMigrations)(
    'when the version before runs beside the newer schema of %s, then no new statement breaks or stops it',
    async (app) => {
      const known = nothingKnown();
      const faults: string[] = [];
      for (const { name, script } of readMigrations(migrationsOf(app))) {
        const found = await findFaults(script, known);
        if (sealed.earlier[`${app}/${name}`] !== undefined) continue;
        faults.push(...found.map(({ statement, why }) => `${name}: ${statement} -- ${why}`));
      }
      expect(faults).toEqual([]);
    },
  );
});
