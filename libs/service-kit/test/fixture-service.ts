// A small service for the tests of startService; it runs as a process of its own.
import { defineRpc } from '@reseller/rpc';
import { createServer } from 'node:http';
import { z } from 'zod';
import { baseConfig, createJob, envPort, startService } from '../src';
import { EchoServiceService } from './echo-definition';

const config = z.object({
  ...baseConfig,
  APP_PORT: envPort().default(0),
  SIGNING_SECRET: z.string().min(8).describe('at least 8 characters'),
});

const tell = (event: string): void => void process.send?.({ event });
const released = new Promise<void>((resolve) => process.on('message', () => resolve()));

async function reply(text: string): Promise<string> {
  if (text === 'hold') {
    tell('entered');
    await released;
  }
  if (text === 'crash') void Promise.reject(new Error('nobody handles this'));
  return text;
}

void startService({
  name: 'fixture',
  config,
  migrate: () => {
    tell('migrated');
    return Promise.resolve();
  },
  start: ({ config: { APP_PORT }, log, metrics, health }) => {
    const server = createServer((request, response) => {
      if (health.handle(request, response)) return;
      void reply(request.url?.slice(1) ?? '').then((text) => response.end(text));
    });
    const job = createJob({
      name: 'tick',
      intervalMs: 60_000,
      run: () => Promise.resolve(tell('job ran')),
      log,
      metrics,
    });
    return Promise.resolve({
      rpc: [defineRpc(EchoServiceService, { say: async ({ text }) => ({ text: await reply(text) }) })],
      http: {
        server,
        host: '127.0.0.1',
        port: APP_PORT,
        portVariable: 'APP_PORT',
        cutOff: (response) => response.writeHead(503).end('cut off'),
      },
      jobs: [job],
      consumers: [
        { stop: () => Promise.resolve(log.info({ event: 'consumer stopped' }, 'consumer stopped')) },
      ],
      close: () => Promise.resolve(log.info({ event: 'closed' }, 'closed')),
    });
  },
});
