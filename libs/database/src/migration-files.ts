import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm';

/** One migration of a directory; the checksum is the one Prisma records. */
export interface MigrationFile {
  name: string;
  script: string;
  checksum: string;
}

/** The directory's migrations in their order, which is that of their names; throws when there is no such directory. */
export function readMigrations(directory: string): MigrationFile[] {
  if (!existsSync(directory)) throw new Error(`there is no migrations directory ${directory}`);
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return names.map((name) => {
    const script = readFileSync(path.join(directory, name, 'migration.sql'), 'utf8');
    return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
  });
}

/** The migrations as the schema engine takes them. */
export function migrationList(directory: string, migrations: MigrationFile[]): MigrationList {
  return {
    baseDir: path.resolve(directory),
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: script } },
    })),
  };
}
