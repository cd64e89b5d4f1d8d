import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { OperatorClient } from '../src/clients/operator-client';
import { readPlatformFile } from '../src/platform/platform-file';
import { findRoot } from '../src/platform/start-platform';

const run = promisify(execFile);
const readPage = (name: string): string => readFileSync(path.join(findRoot(), 'docs/partners', name), 'utf8');
const tokenCommand = /```bash\n(TOKEN=[\s\S]*?)```/.exec(readPage('sandbox.md'))?.[1] ?? '';
/** Each command with what stands under it; one that sets a variable has nothing there. */
const steps = [...readPage('events.md').matchAll(/```bash\n([\s\S]*?)```(?:\s*```json\n([\s\S]*?)```)?/g)];

/** "…" is any text, and fields that are not shown may be there. */
function withAnyText(documented: unknown): unknown {
  if (documented === '…') return expect.stringMatching(/./);
  if (documented === null || typeof documented !== 'object') return documented;
  if (Array.isArray(documented)) return documented.map(withAnyText);
  const entries = Object.entries(documented).map(([name, value]) => [name, withAnyText(value)]);
  return expect.objectContaining(Object.fromEntries(entries) as Record<string, unknown>);
}

// As for the sandbox's page: a machine without curl runs the platform all the same; CI must have it.
const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl || process.env['CI'] === 'true' ? describe : describe.skip)('docs/partners/events.md', () => {
  test('when its commands are pasted one after the other, then each returns what stands under it (spec §16.1, §16.3)', async () => {
    const platform = readPlatformFile();
    const { credentials } = await new OperatorClient(platform).newPartner({ deposit: 100 });
    const { clientId, clientSecret } = credentials.sandbox;
    const env: Record<string, string> = {
      BASE: platform.gatewayUrl,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    };
    const shell = async (command: string): Promise<string> =>
      (await run('sh', ['-c', command], { env: { PATH: process.env.PATH, ...env } })).stdout;
    env.TOKEN = await shell(`${tokenCommand}\nprintf %s "$TOKEN"`);
    expect(steps.length).toBeGreaterThan(6);
    for (const [, command = '', response] of steps) {
      const variable = /^([A-Z_]+)=/.exec(command)?.[1];
      if (variable) env[variable] = await shell(`${command}\nprintf %s "$${variable}"`);
      else
        await eventually(
          async () =>
            expect(JSON.parse(await shell(command))).toEqual(withAnyText(JSON.parse(response ?? 'null'))),
          { timeoutMs: command.includes(' -d ') ? 0 : 20_000, intervalMs: 250 },
        );
    }
  });
});
