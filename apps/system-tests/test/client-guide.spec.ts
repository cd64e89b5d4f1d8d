import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { OperatorClient } from '../src/clients/operator-client';
import { matchingText, readPage } from '../src/docs-page/docs-page';
import { readPlatformFile } from '../src/platform/platform-file';
import { findRoot } from '../src/platform/start-platform';

const root = findRoot();
const MARK = '— next program —';
const programs = [...readPage('client.md').matchAll(/```js\n([\s\S]*?)```\s*```text\n([\s\S]*?)```/g)].map(
  ([, code = '', prints = '']) => ({ code, prints }),
);

/** The programs one after the other, as one module: what one has made, the next ones use. */
function wholeProgram(): string {
  const imports = /^import .*;\n/gm;
  const texts = programs.map(({ code }) => code.replace(imports, ''));
  const first = programs.flatMap(({ code }) => code.match(imports) ?? []);
  return `${first.join('')}${texts.join(`\nconsole.log('${MARK}');\n`)}`;
}

describe('docs/partners/client.md', () => {
  let folder: string;
  let printed: string[];
  beforeAll(async () => {
    mkdirSync(path.join(root, 'dist'), { recursive: true });
    folder = mkdtempSync(path.join(root, 'dist/client-guide-'));
    const source = path.join(folder, 'guide.mjs');
    writeFileSync(source, wholeProgram());
    const outfile = path.join(folder, 'bundled.mjs');
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      alias: {
        '@reseller/client/webhooks': path.join(root, 'libs/webhook-receiver/src/index.ts'),
        '@reseller/client': path.join(root, 'libs/partner-client/src/index.ts'),
      },
    });
    const platform = readPlatformFile();
    const { clientId, clientSecret } = (await new OperatorClient(platform).newPartner({ deposit: 500 }))
      .credentials.sandbox;
    const env = { BASE: platform.gatewayUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env });
    printed = stdout.split(MARK).map((text) => text.trim());
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('when its programs run, then each prints what stands under it', () => {
    expect(programs).toHaveLength(8);
    expect(printed).toEqual(programs.map(({ prints }) => matchingText(prints)));
  });
});
