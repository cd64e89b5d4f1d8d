// A server of echo as a process of its own, which responds with its name, or with how many calls it has executed.
import { defineRpc, RpcServer } from '../src';
import { EchoServiceService } from './echo-definition';

const { NAME = '', PORT = '0' } = process.env;
const quiet = (): void => undefined;
let executed = 0;
const server = new RpcServer({
  services: [
    defineRpc(EchoServiceService, {
      say: async ({ text }) => {
        if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, 20));
        if (text === 'block') {
          process.send?.('blocked');
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
        }
        if (text === 'count') return { text: String(executed) };
        executed += 1;
        return { text: NAME };
      },
    }),
  ],
  log: { debug: quiet, warn: quiet, error: quiet },
});

process.on('message', (command) => {
  if (command === 'serve') server.setServing(true);
  if (command === 'stop serving') server.setServing(false);
  if (command === 'drain') void server.drain(5_000).then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(0));

void server.listen('127.0.0.1', Number(PORT)).then((port) => {
  server.setServing(true);
  process.send?.({ port });
});
