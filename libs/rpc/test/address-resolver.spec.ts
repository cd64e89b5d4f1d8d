import { afterEach, describe, expect, it } from '@jest/globals';
import { experimental } from '@grpc/grpc-js';
import { eventually } from '@reseller/testing';
import { AddressResolver, targetOf } from '../src/balancing/address-resolver';

const opened: AddressResolver[] = [];

afterEach(() => {
  for (const resolver of opened.splice(0)) resolver.destroy();
});

/** Names as a name server has them; a name without an entry is not found. */
type Names = Record<string, string[]>;

/** Resolves a list and returns what the channel is notified, list by list. */
function resolve(addresses: string, names: Names): { reported: string[][]; resolver: AddressResolver } {
  const reported: string[][] = [];
  const [scheme, ...rest] = targetOf(addresses).split(':');
  const resolver = new AddressResolver(
    { scheme, path: rest.join(':') },
    (result) => {
      reported.push(
        result.ok
          ? result.value.map((one) => experimental.endpointToString(one).slice(1, -1))
          : [result.error.details],
      );
      return true;
    },
    {},
    {
      find: (name) =>
        names[name] ? Promise.resolve(names[name]) : Promise.reject(new Error('no such name')),
      refreshMs: 10,
      pauseMs: 10,
    },
  );
  opened.push(resolver);
  resolver.updateResolution();
  return { reported, resolver };
}

const soon = (check: () => void): Promise<void> => eventually(() => Promise.resolve(check()));

describe('the addresses of a dependency', () => {
  it('when addresses and names are mixed, then each name stands for all of its addresses, and none comes twice', async () => {
    const { reported } = resolve('10.0.0.1:7000, finance:7001,[::1]:7002,10.0.0.2:7001', {
      finance: ['10.0.0.2', '10.0.0.3'],
    });
    await soon(() =>
      expect(reported).toEqual([['10.0.0.1:7000', '10.0.0.2:7001', '10.0.0.3:7001', '[::1]:7002']]),
    );
  });

  it('when a name gains and loses instances though nothing broke, then the channel is notified of each change once', async () => {
    const names: Names = { finance: ['10.0.0.1'] };
    const { reported } = resolve('finance:1', names);
    await soon(() => expect(reported).toEqual([['10.0.0.1:1']]));
    names['finance'] = ['10.0.0.2', '10.0.0.1'];
    await soon(() => expect(reported[1]).toEqual(['10.0.0.2:1', '10.0.0.1:1']));
    names['finance'] = ['10.0.0.2'];
    await soon(() => expect(reported[2]).toEqual(['10.0.0.2:1']));
    expect(reported).toHaveLength(3);
  });

  it('when a name cannot be looked up for a while, then what it stood for holds', async () => {
    const names: Names = { finance: ['10.0.0.1'], other: ['10.0.0.9'] };
    const { reported } = resolve('finance:1,other:1', names);
    await soon(() => expect(reported).toEqual([['10.0.0.1:1', '10.0.0.9:1']]));
    delete names['finance'];
    names['other'] = ['10.0.0.8'];
    await soon(() => expect(reported[1]).toEqual(['10.0.0.1:1', '10.0.0.8:1']));
  });

  it('when no name is found, then the channel gets to know, and goes on as soon as one is', async () => {
    const names: Names = {};
    const { reported } = resolve('finance:1', names);
    await soon(() => expect(reported[0]?.[0]).toMatch(/no address/));
    names['finance'] = ['10.0.0.1'];
    await soon(() => expect(reported[1]).toEqual(['10.0.0.1:1']));
  });

  it('when localhost has an address of each family, then it is one instance', async () => {
    const { reported } = resolve('localhost:1', { localhost: ['::1', '127.0.0.1'] });
    await soon(() => expect(reported).toEqual([['[::1]:1, 127.0.0.1:1']]));
  });
});
