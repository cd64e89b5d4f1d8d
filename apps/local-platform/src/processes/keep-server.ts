import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that knows nothing of its starter. */
interface KeptServer {
  readonly name: string;
  readonly server: ChildProcess;
  readonly port: number;
  readonly stop: () => void;
}

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
 * All that the process between the starter and a server does: it ends the server when the starter is gone, however that died
 * (spec §13.4), ends itself when the server does, and says when that takes connections.
 */
export async function keepServer({ name, server, port, stop }: KeptServer): Promise<void> {
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  let hasEnded = false;
  server.on('error', (error) => process.stderr.write(`${name} cannot start: ${error.message}\n`));
  server.on('close', (code) => {
    hasEnded = true;
    process.exit(code === 0 ? 0 : 1);
  });
  if (!process.connected) return stop();
  if (server.pid) process.send?.({ event: 'spawned', pid: server.pid });
  while (!hasEnded && !(await canConnect(port))) await sleep(20);
  if (!hasEnded) process.send?.({ event: 'ready' });
}
