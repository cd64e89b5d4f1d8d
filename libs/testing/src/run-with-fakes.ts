import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runBash } from './run-bash';

/** What a text in bash came to; a call is the name of a faked program and its arguments. */
interface FakedRun {
  readonly calls: string[][];
  readonly stdout: string;
}

/** Which programs are faked, each with what it prints whatever it is given, and the rest of where the text runs. */
interface FakedRunOptions {
  readonly fakes: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Runs a text in bash with fakes in place of some programs, which only note how they are called; rejects when it fails. For the samples of
 * what no test machine has, such as a cluster: the caller holds the calls to what the repository deploys.
 */
export async function runWithFakes(text: string, { fakes, env, cwd }: FakedRunOptions): Promise<FakedRun> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fakes-'));
  const file = path.join(folder, '.calls');
  writeFileSync(file, '');
  for (const [name, prints] of Object.entries(fakes)) {
    writeFileSync(path.join(folder, `.${name}`), prints);
    // One write a call, so that calls of a pipe do not mix.
    const note = `printf '%s\\0' "$(($# + 1))" ${name} "$@" >>'${file}'`;
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${note}\ncat >/dev/null\ncat '${folder}/.${name}'\n`, {
      mode: 0o755,
    });
  }
  try {
    // What the text began in the background is a call, too.
    const { stdout } = await runBash(`${text}\nwait`, { cwd, env, first: [folder] });
    return { calls: callsIn(readFileSync(file, 'utf8')), stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each call is the count of its words, then the words. */
function callsIn(noted: string): string[][] {
  const words = noted.split('\0');
  const calls: string[][] = [];
  for (let at = 0; at < words.length - 1; at += Number(words[at]) + 1)
    calls.push(words.slice(at + 1, at + 1 + Number(words[at])));
  return calls;
}
