import { describe, expect, it } from '@jest/globals';
import { isAllowedTarget, parseAllowedTargets } from './allowed-targets';

const isAllowed = (list: string, address: string, port: number): boolean =>
  isAllowedTarget(parseAllowedTargets(list) ?? [], address, port);

describe('WEBHOOK_ALLOWED_PRIVATE_TARGETS', () => {
  it('when it is empty, then nothing is allowed', () => {
    expect(parseAllowedTargets('')).toEqual([]);
    expect(parseAllowedTargets(' , ')).toEqual([]);
    expect(isAllowed('', '127.0.0.1', 80)).toBe(false);
  });

  it('when it lists a range, then its addresses are allowed on every port, and no others', () => {
    expect(isAllowed('10.0.0.0/8, 127.0.0.1/32', '10.255.0.1', 1)).toBe(true);
    expect(isAllowed('10.0.0.0/8, 127.0.0.1/32', '127.0.0.1', 65_535)).toBe(true);
    expect(isAllowed('10.0.0.0/8,127.0.0.1/32', '127.0.0.2', 80)).toBe(false);
    expect(isAllowed('127.0.0.1', '127.0.0.1', 80)).toBe(true);
    expect(isAllowed('127.0.0.1', '127.0.0.2', 80)).toBe(false);
    expect(isAllowed('fd00::/8', 'fd12::1', 80)).toBe(true);
    expect(isAllowed('fd00::/8', 'fe80::1', 80)).toBe(false);
  });

  it('when it lists every IPv4, then an IPv6 around one is not meant', () => {
    expect(isAllowed('0.0.0.0/0', '::ffff:7f00:1', 80)).toBe(false);
    expect(isAllowed('::/0', '127.0.0.1', 80)).toBe(false);
  });

  it('when it lists host:port, then that port alone is allowed', () => {
    expect(isAllowed('127.0.0.1:9000', '127.0.0.1', 9_000)).toBe(true);
    expect(isAllowed('127.0.0.1:9000', '127.0.0.1', 9_001)).toBe(false);
    expect(isAllowed('[::1]:9000', '::1', 9_000)).toBe(true);
    expect(isAllowed('[0:0:0:0:0:0:0:1]:9000', '::1', 9_000)).toBe(true);
    expect(isAllowed('[::1]:9000', '127.0.0.1', 9_000)).toBe(false);
  });

  it('when it lists localhost:port, then both loopback addresses are meant', () => {
    expect(isAllowed('localhost:9000', '127.0.0.1', 9_000)).toBe(true);
    expect(isAllowed('localhost:9000', '::1', 9_000)).toBe(true);
    expect(isAllowed('localhost:9000', '127.0.0.2', 9_000)).toBe(false);
  });

  it('when it lists a name, then the name is left to be resolved', () => {
    expect(parseAllowedTargets('Receiver.test:9000')).toEqual([
      { kind: 'name', name: 'receiver.test', port: 9_000 },
    ]);
  });

  it.each([
    '127.0.0.1/33',
    '::1/129',
    '127.0.0.1/',
    '127.0.0.1/8/8',
    '127.0.0.1/-1',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    'receiver',
    'receiver:',
    ':9000',
    '127.1:9000',
    '300.0.0.1:9000',
    'http://127.0.0.1:9000',
    'a b:9000',
    '10.0.0.0/8;127.0.0.1/32',
  ])('when it holds %s, then it cannot be used', (list) => {
    expect(parseAllowedTargets(list)).toBeUndefined();
  });
});
