import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { eventually, type Sample } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { readPlatformFile } from '../platform/platform-file';
import { findRoot } from '../platform/start-platform';

const run = promisify(execFile);

/** A command of a page and what stands under it; one that sets a variable has nothing there. */
export interface Example {
  readonly command: string;
  /** A matcher: "…" is any text, and fields that are not shown may be there. */
  readonly response: unknown;
}

/** The text of a page for partners. */
export const readPage = (name: string): string =>
  readFileSync(path.join(findRoot(), 'docs/partners', name), 'utf8');

/** The commands among samples, in their order, each with the response below it; fails for a sample that is neither. */
export function examplesOf(samples: readonly Sample[]): Example[] {
  const examples: Example[] = [];
  samples.forEach(({ page, line, language, code }, at) => {
    if (language === 'bash') examples.push({ command: code, response: undefined });
    else if (language === 'json' && samples[at - 1]?.language === 'bash')
      examples.push({ ...examples.pop()!, response: withAnyText(JSON.parse(code)) });
    else throw new Error(`${page}:${line} is neither a command nor a response to one`);
  });
  return examples;
}

/** A matcher of what a page says is printed or returned: "…" is any text. */
export const matchingText = (prints: string): unknown =>
  expect.stringMatching(
    new RegExp(
      `^${prints
        .trim()
        .split('…')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('[^]*?')}$`,
    ),
  );

/** A matcher of a documented response: "…" is any text, also within a string, and fields that are not shown may be there. */
export function withAnyText(documented: unknown): unknown {
  if (documented === '…') return expect.stringMatching(/./);
  if (typeof documented === 'string' && documented.includes('…')) return matchingText(documented);
  if (documented === null || typeof documented !== 'object') return documented;
  if (Array.isArray(documented)) return documented.map(withAnyText);
  const entries = Object.entries(documented).map(([name, value]) => [name, withAnyText(value)]);
  return expect.objectContaining(Object.fromEntries(entries) as Record<string, unknown>);
}

// A machine with Node.js and npm alone runs the platform, and may have no curl to try a page with; CI must have it.
const missingCurl = spawnSync('curl', ['--version']).status === 0 ? undefined : 'there is no curl';

/** Describes a page whose commands are pasted. */
export const describePage = (title: string, body: () => void): void => describeWith(missingCurl, title, body);

/** The shell of a partner and one below it, whose id is CHILD. */
export async function openFamilyShell(): Promise<PageShell> {
  const operator = new OperatorClient(readPlatformFile());
  const partner = await operator.newPartner();
  const { id } = await operator.newPartner({ deposit: 500, settings: { parentPartnerId: partner.id } });
  return openShell({ CHILD: id }, partner);
}

/** A partner's shell with the variables that pages use, a new one's for want of another; the token is the sandbox's, by the command of sandbox.md. */
export async function openShell(
  variables: Readonly<Record<string, string>> = {},
  partner?: TestPartner,
): Promise<PageShell> {
  const platform = readPlatformFile();
  const { credentials } = partner ?? (await new OperatorClient(platform).newPartner({ deposit: 500 }));
  const { clientId, clientSecret } = credentials.sandbox;
  const shell = new PageShell({
    BASE: platform.gatewayUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    ...variables,
  });
  await shell.paste({
    command: /```bash\n(TOKEN=[\s\S]*?)```/.exec(readPage('sandbox.md'))?.[1] ?? '',
    response: undefined,
  });
  return shell;
}

/** Runs commands as somebody who pastes them. */
export class PageShell {
  constructor(private readonly env: Record<string, string>) {}

  /** What a command has set. */
  variable(name: string): string {
    return this.env[name] ?? '';
  }

  /** Fails unless the command returns what stands under it, or, where it only reads, comes to. */
  async paste({ command, response }: Example): Promise<void> {
    const variable = /^([A-Z_]+)=/.exec(command)?.[1];
    if (variable) {
      this.env[variable] = await this.run(`${command}\nprintf %s "$${variable}"`);
      return;
    }
    // A read is for some seconds later; a create is pasted once.
    const timeoutMs = command.includes(' -d ') ? 0 : 30_000;
    await eventually(async () => expect(JSON.parse(await this.run(command))).toEqual(response), {
      timeoutMs,
      intervalMs: 250,
    });
  }

  /** Runs a script that stands beside the pages, with these variables; returns what it printed, and fails when it does. */
  async runScript(name: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const script = path.join(findRoot(), 'docs/partners', name);
    const env = { PATH: process.env['PATH'], ...this.env, ...variables };
    return (await run('bash', [script], { env })).stdout;
  }

  private async run(command: string): Promise<string> {
    return (await run('sh', ['-c', command], { env: { PATH: process.env['PATH'], ...this.env } })).stdout;
  }
}
