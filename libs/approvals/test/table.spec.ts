import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const sql = readFileSync(path.join(__dirname, '../sql/approvals.sql'), 'utf8');
const apps = path.join(__dirname, '../../../apps');

describe('the table of approvals', () => {
  it.each(['finance', 'orders-saga'])('when %s makes it, then exactly as the library has it', (app) => {
    const migrations = path.join(apps, app, 'prisma/migrations');
    const own = readdirSync(migrations).filter((name) => name.endsWith('_approvals'));
    expect(own.map((name) => readFileSync(path.join(migrations, name, 'migration.sql'), 'utf8'))).toEqual([
      sql,
    ]);
  });
});
