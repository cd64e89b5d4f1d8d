import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A PostgreSQL server of its own; `pid` is the postmaster's where the server runs on this machine. */
export interface TestPostgres {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}

/** A primary with a standby that follows it, both on this machine. */
export interface ReplicatedTestPostgres extends TestPostgres {
  standby: { url: string; pid: number };
}

/**
 * Starts a PostgreSQL server for a test that needs one of its own, such as one that kills it; it ends with `stop` and at
 * the latest with this process.
 */
export const startPostgres = (): Promise<TestPostgres> => start<TestPostgres>([]);

/** The same, with a standby. */
export const startReplicatedPostgres = (): Promise<ReplicatedTestPostgres> =>
  start<ReplicatedTestPostgres>(['--with-standby']);

async function start<Server extends TestPostgres>(args: string[]): Promise<Server> {
  const script = path.resolve(__dirname, '../../toolchain/test-postgres.cjs');
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ready = await new Promise<Omit<Server, 'stop'>>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n')) resolve(JSON.parse(said) as Omit<Server, 'stop'>);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`PostgreSQL for tests ended early (exit ${code})`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.stdin.end();
    await exited;
  };
  return { ...ready, stop } as Server;
}
