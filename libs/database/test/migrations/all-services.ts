import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');
const apps = path.join(root, 'apps');

/** Where an app keeps its migrations. */
export const migrationsOf = (app: string): string => path.join(apps, app, 'prisma/migrations');

/** Every app that has migrations. */
export const appsWithMigrations = readdirSync(apps).filter((app) => existsSync(migrationsOf(app)));

/** Those whose history starts with one baseline, so that functions and triggers stand in routines. */
export const appsWithBaseline = appsWithMigrations.filter((app) =>
  readdirSync(migrationsOf(app)).some((name) => name.endsWith('_baseline')),
);

/** What may not change any more, by `<app>/<name>`; written by `npm run migrations:seal`. */
export interface Sealed {
  /** SHA-256 of what an app grants the role it runs as, by the migration that it came with. */
  grants: Record<string, string>;
  /** SHA-256 of each migration's script. */
  migrations: Record<string, string>;
  /** SHA-256 of all routines of an app, by the migration that they came with. */
  routines: Record<string, string>;
  /** What a routine takes and returns. */
  signatures: Record<string, string>;
}

/** The sealed list as committed. */
export const sealed = JSON.parse(
  readFileSync(path.join(root, 'libs/database/migrations.json'), 'utf8'),
) as Sealed;
