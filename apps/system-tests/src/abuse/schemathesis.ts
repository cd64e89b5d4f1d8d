import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { say } from '../bench/measure';
import type { Arena } from './arena';
import { lineOf } from './verdict';
import type { Line } from './verdict';

/** Of PyPI; a tool of this drill alone. */
const VERSION = '4.32.5';
const VENV = path.join(tmpdir(), `reseller-schemathesis-${VERSION}`);

/**
 * A rule of the business may refuse what the document allows (422, 409), which is no fault of either, so acceptance is not
 * checked; all other checks are.
 */
const EXCLUDED = 'positive_data_acceptance';

/** Has schemathesis try the gateway by its own document; no line, and a word why, where Python or the index is missing. */
export async function schemathesisLine({ platform, buyer }: Arena, seed: number): Promise<Line[]> {
  const command = findCommand();
  if (!command) return [];
  const args = [
    'run',
    `${platform.gatewayUrl}/api/v1/openapi.json`,
    `--header=Authorization: Bearer ${await buyer.sandbox.accessToken()}`,
    `--seed=${seed}`,
    `--exclude-checks=${EXCLUDED}`,
    '--continue-on-failure',
    '--generation-database=none',
    '--no-color',
  ];
  say(`${command} run …`);
  const { code, output } = await run(command, args);
  if (code !== 0) say(output);
  const summary = /^.*(?:No issues found|found \d+ .*failures?|\d+ (?:unique )?failures?).*$/im.exec(
    output,
  )?.[0];
  return [
    lineOf(
      `schemathesis ${VERSION}`,
      summary?.replaceAll(/[=]/g, '').trim() ?? `exit code ${code}`,
      'no failure',
      code === 0 ? [] : ['what it printed stands above'],
    ),
  ];
}

/** The one on the PATH, if it is of this version, or one in a folder of its own. */
function findCommand(): string | undefined {
  if (hasVersion('schemathesis')) return 'schemathesis';
  const own = path.join(VENV, 'bin/schemathesis');
  if (hasVersion(own)) return own;
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', VENV]],
    [path.join(VENV, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]],
  ];
  for (const [command, args] of steps) {
    const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) continue;
    say(`schemathesis skipped: ${command} ${args.join(' ')} failed: ${(error?.message ?? stderr).trim()}`);
    return undefined;
  }
  return existsSync(own) ? own : undefined;
}

function hasVersion(command: string): boolean {
  const { stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  return (stdout as string | null)?.includes(VERSION) ?? false;
}

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: tmpdir() });
    let output = '';
    const listen = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
