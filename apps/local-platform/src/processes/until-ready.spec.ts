import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Instance } from '../instances';
import { untilReady } from './until-ready';

describe('untilReady', () => {
  let server: Server;
  let gateway: Instance;
  let looks: number;
  let readyAt: number;
  beforeEach(async () => {
    looks = 0;
    readyAt = Infinity;
    server = createServer((_, response) => {
      looks += 1;
      response.writeHead(looks < readyAt ? 503 : 200).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const httpPort = (server.address() as AddressInfo).port;
    gateway = { name: 'gateway', service: 'gateway', number: 1, grpcPort: 0, httpPort, appPort: 1 };
  });
  afterEach(() => void server.close());

  it('when a gateway is not ready yet, then it looks again until it is', async () => {
    readyAt = 4;
    await untilReady([gateway], () => false);
    expect(looks).toBe(4);
  });

  it('when one that nothing but services call is not ready, then nobody waits for it', async () => {
    await untilReady([{ ...gateway, service: 'finance', appPort: undefined }], () => false);
    expect(looks).toBe(0);
  });

  it('when the platform is stopped meanwhile, then it ends', async () => {
    await untilReady([gateway], () => looks >= 2);
    expect(looks).toBe(2);
  });
});
