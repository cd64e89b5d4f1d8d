import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runBash, samplesFor } from '@reseller/testing';
import { Client } from 'pg';
import { openWorkspace, type Workspace } from '../src/docs-page/workspace';
import { readPlatformFile } from '../src/platform/platform-file';
import { findRoot } from '../src/platform/start-platform';

const samples = samplesFor(__filename);
const { databases } = readPlatformFile();
const sqlOf = (page: string, part = ''): string =>
  samples.find(({ page: itsPage, code }) => itsPage === page && code.includes(part))?.code ?? '';
const BACKUPS = 'docs/platform/backups.md';

describe('the statements of the pages for platform teams', () => {
  /** Runs them in a transaction that is given up, for the platform is in use. */
  async function tryOut(text: string, connectionString = ''): Promise<string[]> {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      await client.query('BEGIN');
      // Without parameters it is a list of statements, and a list of results comes back.
      const results: unknown = await client.query(text);
      return (Array.isArray(results) ? results : [results]).map(
        ({ command }: { command: string }) => command,
      );
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
  }

  test.each(['identity', 'finance', 'orders-saga', 'scent-commerce'])(
    'when %s is to publish its events again, then its outbox takes the statement',
    async (service) => {
      expect(await tryOut(sqlOf(BACKUPS, 'outbox'), databases[service])).toEqual(['UPDATE']);
    },
  );

  test('when identity is from before the others, then its partners and their ids can be put after what those have seen', async () => {
    const commands = await tryOut(sqlOf(BACKUPS, 'partner_global_id_seq'), databases['identity']);
    expect(commands).toEqual(['UPDATE', 'SELECT']);
  });

  test('when what holds dead rows is looked for, then the runbook’s statements are read in that database', async () => {
    const commands = await tryOut(sqlOf('docs/platform/runbook.md'), databases['orders-saga']);
    expect(commands).toEqual(['SELECT', 'SELECT', 'SELECT']);
  });
});

describe('the import of a catalog', () => {
  let workspace: Workspace;
  beforeAll(() => void (workspace = openWorkspace()));
  afterAll(() => workspace.remove());

  test('when the commands of the README are pasted, then the rows are tried, and come in', async () => {
    const example = path.join(findRoot(), 'apps/scent-commerce/data/example-catalog.csv');
    copyFileSync(example, path.join(workspace.folder, 'catalog.csv'));
    const { code } = samples.find(({ page }) => page === 'apps/scent-commerce/README.md')!;
    const { stdout } = await runBash(code, {
      cwd: workspace.folder,
      env: { SCENT_COMMERCE_DATABASE_URL: databases['scent-commerce'] },
    });
    expect(stdout).toMatch(
      /^(\d+) rows, 0 of them bad; nothing was written: a dry run\n\1 rows: .*, 0 rows bad\n$/,
    );
  });
});
