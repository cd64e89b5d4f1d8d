import { expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from './free-port';

/** What the system gives to whoever names no port. */
async function givenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('when fifty ports are given, then no two are the same, and none is of those that the system gives to connections', async () => {
  const ports: number[] = [];
  while (ports.length < 50) ports.push(await freePort());
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(await givenPort());
});

it('when a port is taken, then another is given', async () => {
  const next = (await freePort()) + 1;
  const server = createServer();
  // Where that fails, another process has it already.
  await new Promise<unknown>((resolve) =>
    server.once('error', resolve).listen(next, '127.0.0.1', () => resolve(next)),
  );
  expect(await freePort()).not.toBe(next);
  await new Promise((resolve) => server.close(resolve));
});
