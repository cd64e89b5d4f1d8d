import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ObjectStore } from './object-store';

describe('ObjectStore', () => {
  it('when the store accepts and then is silent, then reading back and writing end when they are stopped', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'any';
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const store = new ObjectStore({ bucket: 'b', prefix: '', endpoint, region: undefined });
    const stop = new AbortController();
    const work = [
      store.digestOf('a', stop.signal),
      store.write('a', [Readable.from(['text'])], stop.signal),
    ].map((some) => some.then(String, (error: Error) => error.name));
    while (sockets.length < 2) await once(silent, 'connection');
    stop.abort();
    expect(await Promise.all(work)).toEqual(['AbortError', 'AbortError']);
    await store.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
