import { describe, expect, it } from '@jest/globals';
import { Server, Socket } from 'node:net';
import { callerNetwork, isLoopback } from './caller-network';
import { limitConnections } from './connection-limit';

describe('callerNetwork (spec §14.3)', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['x'.repeat(16_000), 'unknown'],
    [undefined, 'unknown'],
  ])('when the address is %.30s, then it is counted as %s', (address, network) => {
    expect(callerNetwork(address)).toBe(network);
  });

  it('when an address is this machine’s own, then it is known as such in each spelling', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual(
      Array(4).fill(true),
    );
    expect(['10.0.0.1', '2001:db8::1', undefined].map(isLoopback)).toEqual(Array(3).fill(false));
  });
});

describe('limitConnections (spec §14.3)', () => {
  const openFrom = (server: Server, remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return socket;
  };

  it('when an address has as many as it may, then the next is closed, until one of them has gone', async () => {
    const server = new Server();
    let refused = 0;
    limitConnections(server, {
      most: 2,
      isProxy: (address) => address === '10.0.0.1',
      refused: () => (refused += 1),
    });
    const [first] = ['2001:db8::1', '2001:db8::2', '203.0.113.9'].map((address) => openFrom(server, address));
    expect(openFrom(server, '2001:db8::3').destroyed).toBe(true);
    expect(refused).toBe(1);
    await new Promise((resolve) => first?.once('close', resolve).destroy());
    expect(openFrom(server, '2001:db8::3').destroyed).toBe(false);
    const free = ['127.0.0.1', '10.0.0.1'].flatMap((address) =>
      [1, 2, 3].map(() => openFrom(server, address)),
    );
    expect(free.filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});
