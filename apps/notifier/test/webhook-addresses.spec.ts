import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TargetCheck } from '../src/address/check-target';
import { reachReceiver } from '../src/diagnosis/reach-receiver';
import { WebhookSender, type CheckTarget } from '../src/delivery/webhook-sender';
import { Receiver } from './receiver';
import { allowed, request } from './webhook-request';

let sender: WebhookSender;
afterEach(() => sender.close());

function use(checkTarget: CheckTarget, timeoutMs = 10_000): void {
  sender = new WebhookSender({ checkTarget, timeoutMs });
}

describe('a name with many addresses, none of which gets anywhere', () => {
  const addresses = Array.from({ length: 40 }, (_, at) => `127.0.0.${at + 1}`);
  const many: CheckTarget = (text) => Promise.resolve(allowed(new URL(text), addresses));
  let server: Server;
  let open: Set<Socket>;
  let connectedTo: string[];
  let onSocket: (socket: Socket) => void;
  beforeEach(async () => {
    open = new Set();
    connectedTo = [];
    onSocket = () => undefined;
    server = createServer((socket) => {
      connectedTo.push(socket.localAddress ?? '');
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      socket.resume();
      onSocket(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  });
  afterEach(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const url = (): string => `https://hooks.example:${(server.address() as { port: number }).port}/`;

  it('when each refuses, then the first three and the last are tried and no more', async () => {
    use(many);
    onSocket = (socket) => void socket.end();
    expect(await sender.send(request(url()))).toMatchObject({ errorSummary: 'Connection failed' });
    expect(connectedTo).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.40']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an attempt', () => sender.send(request(url()))],
    ['a look at a receiver', () => reachReceiver(url(), { checkTarget: many, timeoutMs: 100 })],
  ])(
    'when they are silent and the time of %s is over, then nothing more is connected to',
    async (_what, run) => {
      use(many, 100);
      await run();
      await eventually(() => expect(open.size).toBe(0));
      expect(connectedTo.length).toBeLessThanOrEqual(1);
    },
  );

  it('when the sender closes while one is silent, then that connection is cut and the next is not begun', async () => {
    use(many);
    const sent = sender.send(request(url()));
    await eventually(() => expect(open.size).toBe(1));
    await sender.close();
    expect(await sent).toMatchObject({ errorSummary: 'Connection failed' });
    await eventually(() => expect(open.size).toBe(0));
    expect(connectedTo).toHaveLength(1);
  });
});

describe('where a webhook goes', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());

  it('when the name means another address by now, then the connection goes to the one that was checked', async () => {
    use((text) => Promise.resolve(allowed(new URL(text), ['127.0.0.1'])));
    const url = `http://hooks.example:${receiver.port}/`;
    expect(await sender.send(request(url))).toMatchObject({ responseStatus: 200 });
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
  });

  it('when the name ends with the dot of the root, then TLS is begun for the name without it', async () => {
    const names: string[] = [];
    const SNICallback = (name: string, done: (error: Error) => void): void => {
      names.push(name);
      done(new Error('no certificate'));
    };
    const server = createTlsServer({ SNICallback }).on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    use((text) =>
      Promise.resolve({ ...allowed(new URL(text), ['127.0.0.1']), host: 'hooks.example' } as TargetCheck),
    );
    expect(await sender.send(request(`https://hooks.example.:${port}/`))).toMatchObject({
      errorSummary: 'Connection failed',
    });
    expect(names).toEqual(['hooks.example']);
    server.close();
  });

  it('when a kept connection exists but the check finds another address, then it is not used', async () => {
    let addresses = ['127.0.0.1'];
    use((text) => Promise.resolve(allowed(new URL(text), addresses)));
    const url = `http://hooks.example:${receiver.port}/`;
    await sender.send(request(url));
    addresses = ['127.0.0.2'];
    expect(await sender.send(request(url))).toMatchObject({ errorSummary: 'Connection failed' });
    expect(receiver.received).toHaveLength(1);
  });

  it('when the first address does not respond, then the next one of those checked is taken', async () => {
    use((text) => Promise.resolve(allowed(new URL(text), ['127.0.0.2', '127.0.0.1'])));
    expect(await sender.send(request(`http://hooks.example:${receiver.port}/`))).toMatchObject({
      responseStatus: 200,
    });
  });
});
