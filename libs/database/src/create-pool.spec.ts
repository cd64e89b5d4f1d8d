import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import { createPool } from './create-pool';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const terminated = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

/** A server that says all of it at once, as a client reads it that was held up meanwhile. */
let server: Server;
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, terminated])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

describe('createPool', () => {
  it('when a backend ends in the moment of its first use, then the caller gets an error and the process lives', async () => {
    const { port } = server.address() as AddressInfo;
    const connectionString = `postgresql://u:p@127.0.0.1:${port}/d`;
    const pool = createPool({ connectionString, max: 1, name: 'test', log: silentLog });
    const client = await pool.connect();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    await expect(pool.query('SELECT 1')).rejects.toThrow();
    await pool.end();
  });
});
