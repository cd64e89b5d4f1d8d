import { Client, credentials, status } from '@grpc/grpc-js';
import { RPC_POLICIES } from '@reseller/contracts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lineOf, type Line } from '../abuse/verdict';
import type { PlatformDescription } from '../platform/platform-file';

/** Where each contract is served. */
const SERVED_BY: readonly (readonly [prefix: string, service: string])[] = [
  ['/reseller.identity.', 'identity'],
  ['/reseller.finance.', 'finance'],
  ['/reseller.scent.', 'scent-commerce'],
  ['/reseller.orders.', 'orders-saga'],
  ['/reseller.notifier.', 'notifier'],
];

const PASS = (bytes: Buffer): Buffer => bytes;
const DEADLINE_MS = 10_000;

/** Each app's certificate against every call that the contracts do not give it, and none against all of them (ADR 0002). */
export async function certificateLines(
  platform: PlatformDescription,
  dataDirectory: string,
): Promise<Line[]> {
  const folder = (app: string): string => path.join(dataDirectory, 'rpc-tls', app);
  const authority = readFileSync(path.join(folder('gateway'), 'ca.crt'));
  const apps = ['gateway', 'backoffice', 'orders-saga', 'scent-commerce', 'finance', 'notifier', 'identity'];
  const lines = [];
  for (const app of [...apps, undefined]) {
    const channel = app
      ? credentials.createSsl(
          authority,
          readFileSync(path.join(folder(app), 'tls.key')),
          readFileSync(path.join(folder(app), 'tls.crt')),
        )
      : credentials.createSsl(authority);
    const faults: string[] = [];
    let sent = 0;
    for (const [prefix, service] of SERVED_BY) {
      const address = platform.instances[service]?.[0]?.grpcAddress ?? '';
      const client = new Client(address, channel, { 'grpc.ssl_target_name_override': service });
      for (const [rpc, { callers }] of Object.entries(RPC_POLICIES)) {
        if (!rpc.startsWith(prefix) || (app && callers.includes(app))) continue;
        sent += 1;
        const code = await codeOf(client, rpc);
        const expected = app ? status.PERMISSION_DENIED : status.UNAUTHENTICATED;
        if (code !== expected && !(app === undefined && code === status.UNAVAILABLE))
          faults.push(`${rpc}: ${status[code]}`);
      }
      client.close();
    }
    lines.push(
      lineOf(
        `the certificate of ${app ?? 'nobody'}`,
        `${sent} calls that are not its own`,
        'all refused',
        faults,
      ),
    );
  }
  return lines;
}

const codeOf = (client: Client, rpc: string): Promise<status> =>
  new Promise((resolve) => {
    const deadline = Date.now() + DEADLINE_MS;
    client.makeUnaryRequest(rpc, PASS, PASS, Buffer.alloc(0), { deadline }, (error) =>
      resolve(error?.code ?? status.OK),
    );
  });
