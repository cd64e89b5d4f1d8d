import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const sql = readFileSync(path.join(__dirname, '../sql/archives.sql'), 'utf8');
const apps = path.join(__dirname, '../../../apps');

describe('the table of archives', () => {
  it.each(['notifier', 'orders-saga'])('when %s makes it, then exactly as the library has it', (app) => {
    const migrations = path.join(apps, app, 'prisma/migrations');
    const own = readdirSync(migrations).filter((name) => name.endsWith('_archives'));
    expect(own.map((name) => readFileSync(path.join(migrations, name, 'migration.sql'), 'utf8'))).toEqual([
      sql,
    ]);
  });
});
