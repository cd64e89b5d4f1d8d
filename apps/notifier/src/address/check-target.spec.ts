import { describe, expect, it } from '@jest/globals';
import { parseAllowedTargets } from './domain/allowed-targets';
import { checkTarget, type TargetPolicy } from './check-target';

/** A resolver that knows only these names, and what was looked up. */
function scripted(names: Record<string, string[]>, allowed = '') {
  const lookedUp: string[] = [];
  const policy: TargetPolicy = {
    resolver: {
      resolve: (host) => {
        lookedUp.push(host);
        return Promise.resolve(names[host] ?? []);
      },
    },
    allowed: parseAllowedTargets(allowed) ?? [],
  };
  return { policy, lookedUp };
}

async function resultFor(url: string, names: Record<string, string[]> = {}, allowed = '') {
  const check = await checkTarget(url, scripted(names, allowed).policy);
  return check.outcome === 'allowed' ? check.addresses : check.outcome;
}

describe('checkTarget', () => {
  it('when a name has public addresses, then all of them may be connected to, with host and port', async () => {
    const { policy } = scripted({ 'hooks.example.com': ['93.184.215.14', '2606:2800:21f::1'] });
    expect(await checkTarget('https://hooks.example.com:8443/a?b=c', policy)).toEqual({
      outcome: 'allowed',
      origin: 'https://hooks.example.com:8443',
      path: '/a?b=c',
      host: 'hooks.example.com',
      port: 8443,
      addresses: ['93.184.215.14', '2606:2800:21f::1'],
    });
  });

  it.each([
    [['10.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['10.0.0.1', '93.184.215.14']],
    [['93.184.215.14', '::ffff:93.184.215.14']],
    [['2606:2800:21f::1', 'fe80::1%eth0']],
    [['93.184.215.14', 'not an address']],
    [['93.184.215.14', '168.63.129.16']],
  ])('when a name resolves to %j, then one bad address rejects it', async (addresses) => {
    expect(await resultFor('https://hooks.example.com/', { 'hooks.example.com': addresses })).toBe(
      'rejected',
    );
  });

  it('when a name does not resolve, then that is said, and not that it is bad', async () => {
    expect(await resultFor('https://nobody.example.com/')).toBe('unresolvable');
  });

  it('when a host is an address, then nothing is looked up', async () => {
    const { policy, lookedUp } = scripted({});
    expect(await checkTarget('https://8.8.8.8/', policy)).toMatchObject({ addresses: ['8.8.8.8'] });
    expect(await checkTarget('https://[2606:4700::1]/', policy)).toMatchObject({
      addresses: ['2606:4700::1'],
    });
    expect(await checkTarget('https://2130706433/', policy)).toEqual({ outcome: 'rejected' });
    expect(await checkTarget('https://[::ffff:8.8.8.8]/', policy)).toEqual({ outcome: 'rejected' });
    expect(await checkTarget('https://169.254.169.254/latest/meta-data', policy)).toEqual({
      outcome: 'rejected',
    });
    expect(lookedUp).toEqual([]);
  });

  it('when a name ends in the root’s dot, then it is looked up without it', async () => {
    const { policy, lookedUp } = scripted({ 'example.com': ['10.0.0.1'] });
    expect(await checkTarget('https://EXAMPLE.com./', policy)).toEqual({ outcome: 'rejected' });
    expect(lookedUp).toEqual(['example.com']);
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.', 'ｌｏｃａｌｈｏｓｔ'])(
    'when the host is %s, then it is loopback, whatever a resolver says',
    async (host) => {
      const lying = { localhost: ['8.8.8.8'], 'a.localhost': ['8.8.8.8'], 'a.b.localhost': ['8.8.8.8'] };
      expect(await resultFor(`https://${host}/`, lying)).toBe('rejected');
    },
  );

  it('when the spelling is refused, then nothing is looked up', async () => {
    const { policy, lookedUp } = scripted({ 'example.com': ['8.8.8.8'] });
    expect(await checkTarget('https://user@example.com/', policy)).toEqual({ outcome: 'rejected' });
    expect(await checkTarget('http://example.com/', policy)).toEqual({ outcome: 'rejected' });
    expect(lookedUp).toEqual([]);
  });
});

describe('checkTarget with allowed private targets', () => {
  const allowed = '127.0.0.1:9000,10.1.0.0/16,receiver.test:9100';

  it('when a target is listed, then it may be connected to by http and https', async () => {
    expect(await resultFor('http://127.0.0.1:9000/hook', {}, allowed)).toEqual(['127.0.0.1']);
    expect(await resultFor('https://127.0.0.1:9000/hook', {}, allowed)).toEqual(['127.0.0.1']);
    expect(await resultFor('http://shop.test/', { 'shop.test': ['10.1.2.3'] }, allowed)).toEqual([
      '10.1.2.3',
    ]);
  });

  it('when a target is not listed, then it is rejected', async () => {
    expect(await resultFor('http://127.0.0.1:9001/hook', {}, allowed)).toBe('rejected');
    expect(await resultFor('http://127.0.0.1/', {}, '127.0.0.1:443')).toBe('rejected');
    expect(await resultFor('https://[::1]:9000/hook', {}, allowed)).toBe('rejected');
    expect(await resultFor('https://shop.test/', { 'shop.test': ['10.2.0.1'] }, allowed)).toBe('rejected');
  });

  it('when a public target is plain http, then it is rejected, also beside an allowed one', async () => {
    expect(await resultFor('http://8.8.8.8/', {}, allowed)).toBe('rejected');
    expect(await resultFor('http://shop.test/', { 'shop.test': ['10.1.2.3', '8.8.8.8'] }, allowed)).toBe(
      'rejected',
    );
    expect(await resultFor('https://shop.test/', { 'shop.test': ['10.1.2.3', '8.8.8.8'] }, allowed)).toEqual([
      '10.1.2.3',
      '8.8.8.8',
    ]);
  });

  it('when a name is listed with its port, then it and what it resolves to are allowed there', async () => {
    const names = { 'receiver.test': ['172.20.0.5'], 'other.test': ['172.20.0.5', '172.20.0.6'] };
    expect(await resultFor('http://receiver.test:9100/', names, allowed)).toEqual(['172.20.0.5']);
    expect(await resultFor('http://172.20.0.5:9100/', names, allowed)).toEqual(['172.20.0.5']);
    expect(await resultFor('http://receiver.test:9101/', names, allowed)).toBe('rejected');
    expect(await resultFor('http://other.test:9100/', names, allowed)).toBe('rejected');
  });

  it('when localhost is the host, then those of its addresses that are listed are connected to', async () => {
    expect(await resultFor('http://localhost:9000/', {}, '127.0.0.0/8')).toEqual(['127.0.0.1']);
    expect(await resultFor('http://localhost:9000/', {}, 'localhost:9000')).toEqual(['127.0.0.1', '::1']);
    expect(await resultFor('http://localhost:9000/', {}, '[::1]:9000')).toEqual(['::1']);
    expect(await resultFor('http://localhost:9001/', {}, 'localhost:9000')).toBe('rejected');
  });
});
