import type { Server, ServerResponse } from 'node:http';
import { ConfigError } from './config';

/** An HTTP server of a service; `portVariable` is the setting to name when the port is taken. */
export interface HttpPart {
  server: Server;
  host: string;
  port: number;
  portVariable: string;
  /** Responds to a request that has no response when the grace period ends; without it, its connection just closes. */
  cutOff?: (response: ServerResponse) => void;
}

/** Listens and returns the port; a port that is taken or not allowed is a ConfigError naming the variable to set. */
export function listenHttp({ server, host, port, portVariable }: HttpPart): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(explainListen(error, host, port, portVariable));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

const HOST_FAULTS = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'];

/** The error to show when listening failed: what stands in the way, and the variable to set; X_HOST goes with X_PORT. */
export function explainListen(error: unknown, host: string, port: number, portVariable: string): Error {
  const { code = '', message = '' } = error as Partial<NodeJS.ErrnoException>;
  const address = `${host}:${port}`;
  if (code === 'EADDRINUSE' || message.includes('EADDRINUSE')) {
    return new ConfigError([`${address} is taken by another process: set ${portVariable} to a free port`]);
  }
  const isHostAtFault = HOST_FAULTS.some((fault) => code === fault || message.includes(fault));
  const remedy = isHostAtFault
    ? `${portVariable.replace(/PORT$/, 'HOST')} to an address of this machine`
    : `${portVariable} to another port`;
  return new ConfigError([`cannot listen on ${address} (${code || 'unknown'}): set ${remedy}`]);
}
