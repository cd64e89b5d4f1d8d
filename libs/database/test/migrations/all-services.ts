import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const apps = path.resolve(__dirname, '../../../../apps');

/** Where an app keeps its migrations. */
export const migrationsOf = (app: string): string => path.join(apps, app, 'prisma/migrations');

/** Every app that has migrations. */
export const appsWithMigrations = readdirSync(apps).filter((app) => existsSync(migrationsOf(app)));

/** `earlier` were on main before there were rules for them; `checked` keep the rules. Name to SHA-256. */
export interface SealedMigrations {
  earlier: Record<string, string>;
  checked: Record<string, string>;
}
