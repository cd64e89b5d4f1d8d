import { describe, expect, it } from '@jest/globals';
import { DnsHostResolver, type Lookup } from './host-resolver';

const never = new Promise<never>(() => undefined);
const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

function lookup(resolve4: () => Promise<string[]>, resolve6: () => Promise<string[]>): Lookup {
  return { resolve4, resolve6 };
}

describe('DnsHostResolver', () => {
  it('when both families respond, then all addresses are found', async () => {
    const both = lookup(
      () => Promise.resolve(['1.1.1.1']),
      () => Promise.resolve(['2606:4700::1']),
    );
    expect(await new DnsHostResolver(both).resolve('a.example')).toEqual(['1.1.1.1', '2606:4700::1']);
  });

  it.each(['ENODATA', 'ENOTFOUND', 'ESERVFAIL', 'ETIMEOUT', 'EBADNAME'])(
    'when a family ends in %s, then the other is what there is, and without it nothing',
    async (code) => {
      const half = lookup(() => Promise.resolve(['1.1.1.1']), fails(code));
      expect(await new DnsHostResolver(half).resolve('a.example')).toEqual(['1.1.1.1']);
      expect(await new DnsHostResolver(lookup(fails(code), fails(code))).resolve('a.example')).toEqual([]);
    },
  );

  it('when a name server does not respond, then the time limit ends the look-up with what was found', async () => {
    const silent = new DnsHostResolver(
      lookup(
        () => never,
        () => never,
      ),
      20,
    );
    expect(await silent.resolve('a.example')).toEqual([]);
    const half = new DnsHostResolver(
      lookup(
        () => never,
        () => Promise.resolve(['2606:4700::1']),
      ),
      20,
    );
    expect(await half.resolve('a.example')).toEqual(['2606:4700::1']);
  });

  it('when one name is looked up several times at once, then there is one query, and another afterwards', async () => {
    let queries = 0;
    const counting = lookup(
      () => {
        queries += 1;
        return Promise.resolve([`1.1.1.${queries}`]);
      },
      () => Promise.resolve([]),
    );
    const resolver = new DnsHostResolver(counting);
    const results = await Promise.all([resolver.resolve('a.example'), resolver.resolve('a.example')]);
    expect(results).toEqual([['1.1.1.1'], ['1.1.1.1']]);
    expect(await resolver.resolve('a.example')).toEqual(['1.1.1.2']);
  });
});
