import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Without the first line, in which a sealed migration cites a decision by the number that it had. */
const statementsOf = (file: string): string => readFileSync(file, 'utf8').replace(/^--.*\n/, '');
const sql = statementsOf(path.join(__dirname, '../sql/approvals.sql'));
const apps = path.join(__dirname, '../../../apps');

describe('the table of approvals', () => {
  it.each(['finance', 'orders-saga'])('when %s makes it, then exactly as the library has it', (app) => {
    const migrations = path.join(apps, app, 'prisma/migrations');
    const own = readdirSync(migrations).filter((name) => name.endsWith('_approvals'));
    expect(own.map((name) => statementsOf(path.join(migrations, name, 'migration.sql')))).toEqual([sql]);
  });
});
