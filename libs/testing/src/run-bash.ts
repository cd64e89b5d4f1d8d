import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** Where a text runs, and with what in its environment beside the PATH; `first` are folders that come before it. */
interface BashOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly first?: readonly string[];
}

/** Runs a text in bash as somebody who pastes it; rejects with `code`, `stdout` and `stderr` as soon as a command of it fails. */
export function runBash(
  text: string,
  { env, cwd, first = [] }: BashOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  // With a socket for its input, as here, bash would take itself for a remote shell and read a start file.
  const running = promisify(execFile)('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', text], {
    cwd,
    env: { ...env, PATH: [...first, process.env['PATH']].join(path.delimiter) },
  });
  running.child.stdin?.end();
  return running;
}
