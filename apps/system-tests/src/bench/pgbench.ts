import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** What to say when pgbench is not there. */
export const PGBENCH_HINT = [
  'pgbench was not found, so the top-up rows have no yardstick. It is in Debian’s package postgresql (which starts a server;',
  'to have the program without one: apt-get download postgresql-15 libpq5 && for d in *.deb; do dpkg -x $d pgbench; done),',
  'then set PGBENCH to .../usr/lib/postgresql/15/bin/pgbench, and LD_LIBRARY_PATH to its usr/lib/<machine>-linux-gnu folder.',
].join('\n');

/** Where pgbench is: PGBENCH, the PATH, or Debian's folder of server programs. */
export function findPgbench(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    process.env.PGBENCH,
    ...versions.map((version) => path.join(debian, version, 'bin/pgbench')),
    ...(process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'pgbench')),
  ];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

/** Runs a script with 16 clients for some seconds and returns how many transactions it did. */
export async function runPgbench(input: {
  program: string;
  url: string;
  script: string;
  clients: number;
  seconds: number;
}): Promise<{ count: number; seconds: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'reseller-pgbench-'));
  const file = path.join(folder, 'order.sql');
  writeFileSync(file, input.script);
  try {
    const { stdout } = await promisify(execFile)(
      input.program,
      [
        '-n',
        '-M',
        'prepared',
        '-f',
        file,
        '-c',
        String(input.clients),
        '-j',
        '2',
        '-T',
        String(input.seconds),
        input.url,
      ],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    const tps = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    const count = Number(/^number of transactions actually processed: (\d+)/m.exec(stdout)?.[1]);
    if (!(tps > 0) || !(count > 0)) throw new Error(`pgbench said something else:\n${stdout}`);
    rmSync(folder, { recursive: true, force: true });
    // What pgbench calls tps leaves out the time its connections took to open.
    return { count, seconds: count / tps };
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`pgbench failed on ${file}: ${stderr?.slice(0, 3_000) ?? String(error)}`, {
      cause: error,
    });
  }
}
