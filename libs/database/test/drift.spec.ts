import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTestDatabase, samplesFor } from '@reseller/testing';
import { findDrift } from '../src/find-drift';

const apps = path.resolve(__dirname, '../../../apps');
const read = (app: string, file: string): string => {
  const full = path.join(apps, app, 'prisma', file);
  return existsSync(full) ? readFileSync(full, 'utf8') : '';
};
const services = readdirSync(apps).filter((app) => read(app, 'schema.prisma') !== '');

/** The statements of a script, one string each, without comments and line breaks. */
function statementsOf(script: string): string[] {
  return script
    .replace(/^--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
    .sort();
}

describe('migrations and schema.prisma', () => {
  it.each(services)('when %s describes its tables, then below the head that the README shows', (app) => {
    const schema = read(app, 'schema.prisma');
    const [head] = samplesFor(__filename);
    for (const block of head?.code.trim().split('\n\n') ?? ['a head']) expect(schema).toContain(block);
  });

  it.each(services)(
    'when %s has run all its migrations on an empty database, then it is what schema.prisma says, but for what sql-only.sql names',
    async (app) => {
      const database = await createTestDatabase({ migrations: path.join(apps, app, 'prisma/migrations') });
      const drift = await findDrift(database.url, read(app, 'schema.prisma'));
      await database.drop();
      expect(statementsOf(drift ?? '')).toEqual(statementsOf(read(app, 'sql-only.sql')));
    },
  );
});
