import { spawnSync } from 'node:child_process';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { OperatorClient } from '../src/clients/operator-client';
import { readPlatformFile } from '../src/platform/platform-file';
import { findRoot } from '../src/platform/start-platform';

const run = promisify(execFile);

/** A command of the page and what stands under it. */
interface Example {
  readonly section: string;
  readonly command: string;
  readonly response: unknown;
}

const page = readFileSync(path.join(findRoot(), 'docs/partners/sandbox.md'), 'utf8');
const tokenCommand = /```bash\n(TOKEN=[\s\S]*?)```/.exec(page)?.[1] ?? '';
const examples: Example[] = page.split(/^## /m).flatMap((text) => {
  const section = text.split('\n')[0]!;
  return [...text.matchAll(/```bash\n([\s\S]*?)```\s*```json\n([\s\S]*?)```/g)].map((match) => ({
    section,
    command: match[1]!,
    response: withAnyText(JSON.parse(match[2]!)),
  }));
});
const sections = [...new Set(examples.map(({ section }) => section))];

/** What the page shows, as a matcher: "…" is any text, and fields that are not shown may be there. */
function withAnyText(documented: unknown): unknown {
  if (documented === '…') return expect.stringMatching(/./);
  if (documented === null || typeof documented !== 'object') return documented;
  const entries = Object.entries(documented).map(([name, value]) => [name, withAnyText(value)]);
  return expect.objectContaining(Object.fromEntries(entries) as Record<string, unknown>);
}

const shell = async (command: string, env: Record<string, string>): Promise<string> =>
  (await run('sh', ['-c', command], { env: { PATH: process.env.PATH, ...env } })).stdout;

// A machine with Node.js and npm alone runs the platform, and may have no curl to try this page with; CI must have it.
const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl || process.env['CI'] === 'true' ? describe : describe.skip)('docs/partners/sandbox.md', () => {
  const failures = new Map<string, unknown>();
  beforeAll(async () => {
    const platform = readPlatformFile();
    const partner = await new OperatorClient(platform).newPartner({ deposit: 500 });
    const { clientId, clientSecret } = partner.credentials.sandbox;
    const env = { BASE: platform.gatewayUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const TOKEN = await shell(`${tokenCommand}\nprintf %s "$TOKEN"`, env);
    const paste = async ({ command, response }: Example): Promise<void> => {
      // A read is for some seconds later; a create is pasted once.
      const timeoutMs = command.includes(' -d ') ? 0 : 30_000;
      await eventually(
        async () => expect(JSON.parse(await shell(command, { ...env, TOKEN }))).toEqual(response),
        { timeoutMs, intervalMs: 250 },
      );
    };
    const follow = async (section: string): Promise<void> => {
      for (const example of examples.filter((one) => one.section === section)) await paste(example);
    };
    const note = (section: string) => follow(section).catch((error: unknown) => failures.set(section, error));
    const last = sections.at(-1)!;
    await Promise.all(sections.filter((section) => section !== last).map(note));
    await note(last);
  });

  test('when the page is read, then every row of its table has commands for a top-up and for an eSIM', () => {
    for (const [, ends, tag] of page.matchAll(/^\| (\d{4})\s*\| `(\w+)`/gm)) {
      const of = (text: string): number => examples.filter(({ command }) => command.includes(text)).length;
      expect([of(`${ends}"`) > 0, of(`anyone+${tag}@`) > 0]).toEqual([true, true]);
    }
    expect(sections).toHaveLength(11);
  });

  test.each(sections)('when the commands of “%s” are pasted, then they return what is shown', (section) => {
    const failure = failures.get(section);
    if (failure !== undefined) throw failure;
  });
});
