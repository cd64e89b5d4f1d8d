import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { connectorTo, type CheckedTarget } from '../delivery/receiver-connections';
import type { CheckTarget } from '../delivery/webhook-sender';
import type { Certificate } from './domain/certificate';
import type { Reach } from './domain/judge-receiver';

/**
 * Connects to where a url leads, to checked addresses only, and closes the connection again: for at most `timeoutMs`, look-up included; never
 * rejects. A certificate that deliveries refuse is looked at all the same, so that it can be said what is wrong with it.
 */
export function reachReceiver(
  url: string,
  { checkTarget, timeoutMs }: { checkTarget: CheckTarget; timeoutMs: number },
): Promise<Reach> {
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  const connecting = new AbortController();
  return new Promise((resolve) => {
    const end = (reach: Reach): void => {
      clearTimeout(timer);
      resolve(reach);
      connecting.abort();
    };
    const timer = setTimeout(() => end({ outcome: 'timeout', durationMs: durationMs() }), timeoutMs);
    checkTarget(url)
      .then((check) => {
        if (check.outcome !== 'allowed') return end({ outcome: check.outcome, durationMs: durationMs() });
        connect(check, timeoutMs, connecting.signal, (socket) => {
          if (!socket) return end({ outcome: 'failed', durationMs: durationMs() });
          end({ outcome: 'reached', durationMs: durationMs(), certificate: certificateOf(socket) });
          socket.on('error', () => undefined).destroy();
        });
      })
      .catch(() => end({ outcome: 'failed', durationMs: durationMs() }));
  });
}

function connect(
  { origin, host, addresses }: CheckedTarget,
  timeoutMs: number,
  signal: AbortSignal,
  done: (socket: Socket | null) => void,
): void {
  const { hostname, protocol, port } = new URL(origin);
  const connector = connectorTo(host, addresses, timeoutMs, signal, { rejectUnauthorized: false });
  connector({ hostname, host, protocol, port }, (...[, socket]) => done(socket));
}

function certificateOf(socket: Socket): Certificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  // Node.js has its code there; the types say that it is an Error.
  const fault = socket.authorized ? null : String(socket.authorizationError);
  return { fault, validUntil: new Date(socket.getPeerCertificate().valid_to) };
}
