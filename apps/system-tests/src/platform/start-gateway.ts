import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { readPlatformFile } from './platform-file';
import { findRoot } from './start-platform';

/** A gateway beside the running platform's own. */
export interface StartedGateway {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts one more gateway on the running platform's services; it listens, and may not be ready yet. */
export async function startGateway(): Promise<StartedGateway> {
  const { instances } = readPlatformFile();
  const services = ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'];
  const addresses = services.map((name) => [
    `${name.toUpperCase().replace('-', '_')}_ADDRESS`,
    instances[name]?.[0]?.grpcAddress ?? '',
  ]);
  const child = fork(path.join(findRoot(), 'dist/apps/gateway/main.js'), [], {
    env: {
      ...process.env,
      ...Object.fromEntries(addresses),
      NODE_ENV: 'development',
      LOG_LEVEL: 'silent',
      GATEWAY_PORT: '0',
      HTTP_PORT: '0',
      TOKEN_ISSUER: 'partner-reseller-identity',
      RATE_LIMIT_TOKEN: '1000000',
      RATE_LIMIT_DEFAULT: '1000000',
    },
  });
  const exited = once(child, 'exit');
  const [{ appPort }] = (await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('the gateway did not start'))),
  ])) as [{ appPort: number }];
  return {
    url: `http://127.0.0.1:${appPort}`,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
