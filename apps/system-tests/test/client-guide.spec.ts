import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { samplesFor } from '@reseller/testing';
import { build } from 'esbuild';
import { OperatorClient } from '../src/clients/operator-client';
import { matchingText } from '../src/docs-page/docs-page';
import { readPlatformFile } from '../src/platform/platform-file';
import { findRoot } from '../src/platform/start-platform';

const root = findRoot();
const MARK = '— next program —';
const samples = samplesFor(__filename);
const pages = [...new Set(samples.map(({ page }) => page))];

/** The programs of a page one after the other, as one module: what one has made, the next ones use. */
function wholeProgram(page: string): string {
  const programs = samples.filter((one) => one.page === page && one.language === 'js');
  const imports = /^import .*;\n/gm;
  const texts = programs.map(({ code }) => code.replace(imports, ''));
  const first = programs.flatMap(({ code }) => code.match(imports) ?? []);
  return `${first.join('')}${texts.join(`\nconsole.log('${MARK}');\n`)}`;
}

describe('the programs with the client that partners read', () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync(path.join(root, 'dist'), { recursive: true });
    folder = mkdtempSync(path.join(root, 'dist/client-guide-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(pages)('when those of %s run, then each prints what stands under it', async (page) => {
    const outfile = path.join(folder, `${path.basename(page)}.mjs`);
    await build({
      stdin: { contents: wholeProgram(page), resolveDir: root },
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
    const prints = samples.filter((one) => one.page === page && one.language === 'text');
    expect(stdout.split(MARK).map((text) => text.trim())).toEqual(
      prints.map(({ code }) => matchingText(code)),
    );
  });
});
