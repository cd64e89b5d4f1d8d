import { endStalePostmaster, spawnPostgres, stopPostgres } from '@reseller/local-postgres';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readInstances } from '../settings';
import { archiveOf, postgresSettings } from './postgres-settings';

/** Fast shutdown first, immediate halfway; both well within what the starter allows. */
export const SUPERVISOR_STOP_MS = 6_000;

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/**
 * The process between the starter and PostgreSQL, which knows nothing of its starter: it ends the server when the
 * starter is gone, however that died (spec §13.4), and ends itself when the server does.
 */
export async function supervisePostgres(directory: string, port: number): Promise<void> {
  await endStalePostmaster(directory);
  const settings = { ...postgresSettings(readInstances()), ...archiveOf(process.env) };
  const server = spawnPostgres({ directory, port, settings }, ['ignore', 'inherit', 'inherit']);
  const stop = (): void => {
    void stopPostgres(server, SUPERVISOR_STOP_MS);
  };
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  let hasEnded = false;
  server.on('error', (error) => process.stderr.write(`postgres cannot start: ${error.message}\n`));
  server.on('close', (code) => {
    hasEnded = true;
    process.exit(code === 0 ? 0 : 1);
  });
  if (!process.connected) return stop();
  if (server.pid) process.send?.({ event: 'spawned', pid: server.pid });
  while (!hasEnded && !(await canConnect(port))) await sleep(20);
  if (!hasEnded) process.send?.({ event: 'ready' });
}
