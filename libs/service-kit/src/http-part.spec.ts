import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { listenHttp } from './http-part';

describe('listenHttp', () => {
  it('when the host is not an address of this machine, then the line names the host and not the port', async () => {
    // From a range kept for documentation, which no machine has.
    const host = '203.0.113.7';
    const part = { server: createServer(), host, port: 0, portVariable: 'GATEWAY_PORT' };
    await expect(listenHttp(part)).rejects.toThrow(
      'cannot listen on 203.0.113.7:0 (EADDRNOTAVAIL): set GATEWAY_HOST to an address of this machine',
    );
  });
});
