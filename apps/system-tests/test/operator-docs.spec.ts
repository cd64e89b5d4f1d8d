import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runBash, samplesFor, type Sample } from '@reseller/testing';
import { OperatorClient } from '../src/clients/operator-client';
import { describePage } from '../src/docs-page/docs-page';
import { openWorkspace, type Workspace } from '../src/docs-page/workspace';
import { readPlatformFile } from '../src/platform/platform-file';

const run = promisify(execFile);
const samples = samplesFor(__filename);
const isCall = ({ code }: Sample): boolean => /^curl /m.test(code);
const calls = samples.filter(isCall).flatMap(({ page, code }) =>
  code
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('curl '))
    .map((line) => [page, line] as const),
);
const commandsOf = (section: string): string =>
  samples.find((sample) => sample.section === section && !isCall(sample) && sample.code.includes('node '))
    ?.code ?? '';

describePage('the commands of the pages for operators', () => {
  const platform = readPlatformFile();
  const operator = new OperatorClient(platform);
  let workspace: Workspace;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    workspace = openWorkspace();
    const { id } = await operator.newPartner({ deposit: 100 });
    env = {
      PATH: process.env['PATH'],
      BACKOFFICE: platform.backofficeUrl,
      OPERATOR_TOKEN: platform.operatorToken,
      ID: id,
      // Nothing has these ids: what a command would do to it is not the matter here.
      APPROVAL: randomUUID(),
      ORDER_GLOBAL_ID: 'TU-NONE',
      YOUR_NAME: 'olga',
      ORDERS_SAGA_DATABASE_URL: platform.databases['orders-saga'],
      FINANCE_DATABASE_URL: platform.databases['finance'],
    };
  });
  afterAll(() => workspace.remove());

  test.each(calls)(
    'when a command of %s is pasted, then the API takes it as a call that it has: %s',
    async (_, line) => {
      const { state } = JSON.parse((await run('sh', ['-c', line], { env })).stdout) as { state: string };
      expect(state).toMatch(
        /^(SUCCESS|CREATED|CONFLICT_\w+|BUSINESS_\w+|NOT_FOUND_(APPROVAL|ORDER|DEAD_LETTER)|FORBIDDEN_OWN_APPROVAL)$/,
      );
    },
  );

  test('when parked orders are to be tried again, then they are listed, and one that is not parked is refused', async () => {
    const text = commandsOf('Tried again');
    await expect(runBash(text, { env, cwd: workspace.folder })).rejects.toMatchObject({
      code: 3,
      stderr: 'orders-saga: no such order is parked: TU-NONE\n',
    });
  });

  test('when statements are held against the ledger, then all are the same, and the PDF of one is written', async () => {
    const periods = { periodFrom: '2026-01-01T00:00:00Z', periodTo: '2026-01-02T00:00:00Z' };
    const body = { partnerId: env['ID'], environment: 'sandbox', ...periods };
    const { id } = await operator.post<{ id: string }>('/statements', body);
    const text = commandsOf('Billing statements');
    const { stdout } = await runBash(text, { env: { ...env, STATEMENT: id }, cwd: workspace.folder });
    expect(stdout.trim().split('\n').at(-1)).toMatch(/: same$/);
    const pdf = readFileSync(path.join(workspace.folder, 'statement.pdf'), 'latin1');
    expect(pdf.slice(0, 5)).toBe('%PDF-');
  });
});
