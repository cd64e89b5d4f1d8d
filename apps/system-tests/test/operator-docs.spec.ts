import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { OperatorClient } from '../src/clients/operator-client';
import { describePage } from '../src/docs-page/docs-page';
import { readPlatformFile } from '../src/platform/platform-file';
import { findRoot } from '../src/platform/start-platform';

const run = promisify(execFile);
const pages = ['docs/operators/README.md', 'docs/operators/dead-letters.md'];
const commands = pages.flatMap((page) => {
  const blocks = readFileSync(path.join(findRoot(), page), 'utf8').matchAll(/```bash\n([\s\S]*?)```/g);
  const texts = [...blocks].map(([, block = '']) => block.replace(/\\\n\s*/g, ' '));
  return texts
    .flatMap((text) => text.split('\n').filter((line) => line.startsWith('curl ')))
    .map((line) => [page, line] as const);
});

describePage('the commands of the pages for operators', () => {
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    const platform = readPlatformFile();
    const operator = new OperatorClient(platform);
    const { id } = await operator.newPartner({ deposit: 100 });
    env = {
      PATH: process.env['PATH'],
      BACKOFFICE: platform.backofficeUrl,
      OPERATOR_TOKEN: platform.operatorToken,
      ID: id,
      // Nothing has these ids: what a command would do to it is not the matter here.
      APPROVAL: randomUUID(),
      ORDER_GLOBAL_ID: 'TU-NONE',
    };
  });

  test('when the pages are read, then there are commands to hold', () => {
    expect(commands.length).toBeGreaterThanOrEqual(12);
  });

  test.each(commands)(
    'when a command of %s is pasted, then the API takes it as a call that it has: %s',
    async (_, line) => {
      const { state } = JSON.parse((await run('sh', ['-c', line], { env })).stdout) as { state: string };
      expect(state).toMatch(
        /^(SUCCESS|CREATED|CONFLICT_\w+|BUSINESS_\w+|NOT_FOUND_(APPROVAL|ORDER|DEAD_LETTER)|FORBIDDEN_OWN_APPROVAL)$/,
      );
    },
  );
});
