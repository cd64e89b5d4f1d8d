import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { runService, type RunningService } from '@reseller/service-kit';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { configSchema } from '../src/config';
import { createVendorSimulator } from '../src/container';

export const KEY = 'a-key-for-tests-only';
export const SECRET = 'a-secret-for-callbacks';

/** A callback as the platform received it. */
export interface Callback {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** The simulator on a database of its own, and the platform that it calls back at `target`. */
export async function startSimulator(target: string): Promise<{
  readonly database: TestDatabase;
  readonly service: RunningService;
  readonly callbacks: readonly Callback[];
  stop(): Promise<void>;
}> {
  const callbacks: Callback[] = [];
  const platform = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      callbacks.push({ request, body });
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"accepted":true}');
    });
  });
  const database = await createTestDatabase({ migrations: path.resolve(__dirname, '../prisma/migrations') });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const { port } = platform.address() as AddressInfo;
  const service = await runService(
    { name: 'vendor-simulator', config: configSchema, start: createVendorSimulator },
    {
      DATABASE_URL: database.serviceUrl,
      VENDOR_API_KEY: KEY,
      VENDOR_CALLBACK_URL: `http://127.0.0.1:${port}${target}`,
      VENDOR_CALLBACK_SECRET: SECRET,
      VENDOR_CALLBACK_AFTER_MS: '1',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
    },
  );
  const stop = async (): Promise<void> => {
    await service.stop();
    platform.closeAllConnections();
    platform.close();
    await database.drop();
  };
  return { database, service, callbacks, stop };
}
