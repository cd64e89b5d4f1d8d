import { once } from 'node:events';
import { createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import { createPool, createSessionPool } from './create-pool';
import { isDatabaseUnavailable } from './database-errors';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const authenticated = message('R', Buffer.alloc(4));
const complete = message('C', Buffer.from('SELECT 1\0'));
const ready = message('Z', Buffer.from('I'));
const terminated = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

/** The statements that a client has the server parse in these bytes, by their names. */
function parsedNames(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    if (bytes[at] === 'P'.charCodeAt(0)) names.push(bytes.toString('utf8', at + 5, bytes.indexOf(0, at + 5)));
  return names;
}

const SETTINGS = ['application_name', 'statement_timeout', 'idle_in_transaction_session_timeout'];

let server: Server;
const sockets = new Set<Socket>();
/** Starts a server that begins every connection with these bytes. */
async function serve(begin: (socket: Socket, start: Buffer) => void): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (start) => begin(socket, start));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `postgresql://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/d`;
}
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

describe('createPool', () => {
  it('when a backend ends in the moment of its first use, then the caller gets an error and the process lives', async () => {
    // All of it at once, as a client reads it that was held up meanwhile.
    const connectionString = await serve((socket) => {
      socket.write(Buffer.concat([authenticated, ready]));
      socket.once('data', () => socket.end(Buffer.concat([complete, ready, terminated])));
    });
    const pool = createPool({ connectionString, max: 1, name: 'test', log: silentLog });
    const client = await pool.connect();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    await expect(pool.query('SELECT 1')).rejects.toThrow();
    await pool.end();
  });

  it.each([
    ['no pooler', 'none', ['', 'stored'], SETTINGS],
    ['one in transaction mode', 'transaction', [''], []],
    ['one that keeps prepared statements', 'transaction-prepared', ['stored'], []],
  ] as const)(
    'when it goes through %s, then statements have names and connections settings as that allows',
    async (_, pooler, names, settings) => {
      let start = '';
      let sent = Buffer.alloc(0);
      const connectionString = await serve((socket, bytes) => {
        start = bytes.toString();
        socket.write(Buffer.concat([authenticated, ready]));
        socket.on('data', (more) => {
          sent = Buffer.concat([sent, more]);
          socket.write(Buffer.concat([complete, ready]));
        });
      });
      const directConnectionString = 'postgresql://u:p@127.0.0.1:1/d';
      const pool = createPool({
        ...{ connectionString, directConnectionString, pooler },
        ...{ max: 1, name: 'test', log: silentLog },
      });
      await pool.query({ name: 'stored', text: 'SELECT $1', values: [1] });
      expect(parsedNames(sent)).toEqual(names);
      expect(SETTINGS.filter((name) => start.includes(name))).toEqual(settings);
      await pool.end();
    },
  );

  it('when a server falls silent, then its caller gets an error some seconds after the time a statement may take, and the next one a connection', async () => {
    let silent = true;
    const connectionString = await serve((socket) => {
      socket.write(Buffer.concat([authenticated, ready]));
      const respond = (): unknown => socket.write(Buffer.concat([complete, ready]));
      // The pool's own statement, which sets the connection up.
      socket.once('data', () => {
        respond();
        if (!silent) socket.on('data', respond);
      });
    });
    const pool = createPool({
      connectionString,
      max: 1,
      name: 'test',
      log: silentLog,
      statementTimeoutMs: 50,
    });
    const client = await pool.connect();
    const waiting = client.query('SELECT 1');
    await expect(waiting).rejects.toThrow('Connection terminated');
    expect(isDatabaseUnavailable(await waiting.catch((error: unknown) => error))).toBe(true);
    client.release();
    silent = false;
    await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
    await pool.end();
  });

  it.each([createPool, createSessionPool])(
    'when a connection says nothing, then the system soon sees whether its server is still there (%#)',
    async (create) => {
      const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
      const connectionString = await serve((socket) => {
        socket.write(Buffer.concat([authenticated, ready]));
        socket.once('data', () => socket.write(Buffer.concat([complete, ready])));
      });
      const pool = create({ connectionString, max: 1, name: 'test', log: silentLog });
      (await pool.connect()).release();
      expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);
      keepAlive.mockRestore();
      await pool.end();
    },
  );
});
