// The cost of a unary call: see the README. Server and client are processes of their own; CPU is that of both.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FundsServiceService } from '@reseller/contracts';
import { CertificateAuthority } from '@reseller/testing';
import {
  createRpcClient,
  defineRpc,
  mutualTls,
  plainText,
  RpcServer,
  type RpcHandlers,
  type RpcSecurity,
} from '../src';

const CALLS = Number(process.env['CALLS'] ?? 20_000);
const CONCURRENCY = 16;
const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const securityOf = (app: string, directory: string | undefined): RpcSecurity =>
  directory
    ? mutualTls({
        app,
        certFile: path.join(directory, app, 'tls.crt'),
        keyFile: path.join(directory, app, 'tls.key'),
        caFile: path.join(directory, app, 'ca.crt'),
        peerName: '{service}',
        log,
      })
    : plainText;

async function serve(): Promise<void> {
  const handlers = new Proxy({} as RpcHandlers<typeof FundsServiceService>, {
    get: () => async () => ({ availableBalance: '100.00', displayRate: undefined }),
  });
  const services = [defineRpc(FundsServiceService, handlers)];
  const server = new RpcServer({ services, log, security: securityOf('finance', process.env['TLS']) });
  process.send?.({ port: await server.listen('127.0.0.1', 0) });
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
  process.on('disconnect', () => process.exit(0));
}

async function measure(name: string, tls: string | undefined): Promise<void> {
  const child = fork(__filename, ['serve'], { env: { ...process.env, ...(tls && { TLS: tls }) } });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const client = createRpcClient(FundsServiceService, `127.0.0.1:${port}`, {
    name: 'finance',
    defaultDeadlineMs: 10_000,
    security: securityOf('orders-saga', tls),
  });
  const cpuOfServer = async (): Promise<number> => {
    child.send('cpu');
    const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
    return cpu.user + cpu.system;
  };
  const run = async (calls: number): Promise<void> => {
    let left = calls;
    const caller = async (): Promise<void> => {
      while (left-- > 0)
        await client.checkFunds({ partnerId: 'p', environment: 'SANDBOX' as never }, { requestId: 'bench' });
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  };
  await run(CALLS / 4);
  const [server, own] = [await cpuOfServer(), process.cpuUsage()];
  const startedAt = performance.now();
  await run(CALLS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = process.cpuUsage(own);
  const perCall = (micros: number): string => (micros / CALLS).toFixed(0);
  const ofServer = perCall((await cpuOfServer()) - server);
  process.stdout.write(
    `${name}: ${(CALLS / seconds).toFixed(0)} calls/s, CPU a call: client ${perCall(used.user + used.system)} µs, server ${ofServer} µs\n`,
  );
  client.close();
  child.disconnect();
}

async function main(): Promise<void> {
  await measure('plain text', undefined);
  const directory = mkdtempSync(path.join(tmpdir(), 'rpc-bench-'));
  const authority = await CertificateAuthority.create();
  for (const app of ['finance', 'orders-saga'])
    await authority.write(path.join(directory, app), { names: [app] });
  await measure('mutual TLS', directory);
  rmSync(directory, { recursive: true });
}

void (process.argv[2] === 'serve' ? serve() : main());
