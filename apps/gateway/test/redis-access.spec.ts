import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  CertificateAuthority,
  eventually,
  redisMissing,
  startRedis,
  type TestRedis,
} from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createRateLimits } from '../src/limiter/rate-limits';

const PASSWORD = 'a-password-of-this-test';
const users = readFileSync(path.resolve(__dirname, '../../../deploy/redis/users.acl'), 'utf8').replace(
  'PASSWORD_SHA256',
  createHash('sha256').update(PASSWORD).digest('hex'),
);
const missing = redisMissing({ users });
describeWith(missing, 'Redis by TLS, as deploy/redis/users.acl lets us', () => {
  let directory: string;
  let caFile: string;
  let server: TestRedis;
  let gateway: Redis;
  const as = (user: string): string => server.url.replace('//', `//${user}:${PASSWORD}@`);
  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'redis-tls-'));
    const authority = await CertificateAuthority.create();
    const tls = await authority.write(directory, { names: ['localhost'] });
    caFile = tls.caFile;
    server = await startRedis({ users, tls });
    gateway = new Redis(as('gateway'), { tls: { ca: readFileSync(caFile) }, enableReadyCheck: false });
    gateway.on('error', () => undefined);
  });
  afterAll(async () => {
    gateway.disconnect();
    await server.remove();
    rmSync(directory, { recursive: true });
  });

  /** Two gateways' limits on the server, three tokens a minute for an address. */
  async function twoLimits(url: string) {
    const metrics = [new Registry(), new Registry()];
    const limits = await Promise.all(
      metrics.map((registry) =>
        createRateLimits({
          tokenPermits: 3,
          defaultPermits: 3,
          redisUrl: url,
          redisCaFile: caFile,
          log: pino({ level: 'silent' }),
          metrics: registry,
        }),
      ),
    );
    const degraded = () =>
      Promise.all(
        metrics.map(
          async (one) =>
            (await one.getSingleMetric('gateway_rate_limiter_degraded')?.get())?.values[0]?.value,
        ),
      );
    const passed = async (address: string): Promise<number> => {
      const all = limits.flatMap((one) => [one, one]).map(async (one) => one.tokenByAddress(address));
      return (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length;
    };
    return { degraded, passed, close: () => limits.forEach((one) => one.close()) };
  }

  it('when two gateways come as their user, then they share their limits', async () => {
    const limits = await twoLimits(as('gateway'));
    let tries = 0;
    // Each counts by itself until it is connected; both together pass four then.
    await eventually(async () => {
      tries += 1;
      expect([await limits.passed(`198.51.100.${tries}`), await limits.degraded()]).toEqual([3, [0, 0]]);
    });
    limits.close();
  });

  it('when a gateway comes with a wrong password, then it limits by itself, and its log says which setting and why', async () => {
    const lines: string[] = [];
    const limits = await createRateLimits({
      tokenPermits: 3,
      defaultPermits: 3,
      redisUrl: server.url.replace('//', '//gateway:guessed@'),
      redisCaFile: caFile,
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
      metrics: new Registry(),
    });
    await limits.tokenByAddress('198.51.100.250');
    await eventually(() => expect(lines.join('')).toMatch(/WRONGPASS.*REDIS_URL/));
    await eventually(() => expect(lines.join('')).toMatch(/"reason":"[^"]+","msg":"limiting in memory"/));
    expect(lines.join('')).not.toContain('guessed');
    limits.close();
  });

  it.each<[what: string, command: string, ...args: (string | number)[]]>([
    ['change a setting', 'config', 'set', 'maxmemory', '1'],
    ['read the settings', 'config', 'get', '*'],
    ['drop everything', 'flushall'],
    ['list all keys', 'keys', '*'],
    ['list its keys', 'keys', 'reseller:limit:*'],
    ['read another key', 'hgetall', 'sessions:1'],
    ['write another key', 'hincrby', 'sessions:1', 'a', 1],
    ['write its own key by another command', 'set', 'reseller:limit:token:a', '1'],
    ['read another key in a script', 'eval', "return redis.call('HGETALL', 'sessions:1')", 0],
    ['drop everything in a script', 'eval', "return redis.call('FLUSHALL')", 0],
    ['see other users', 'acl', 'list'],
    ['listen to channels', 'subscribe', 'news'],
    ['end the server', 'shutdown', 'nosave'],
  ])('when the gateway’s user would %s, then Redis refuses', async (_what, command, ...args) => {
    await expect(gateway.call(command, ...args)).rejects.toThrow(
      /NOPERM|No permissions|can't access|can't run/,
    );
  });

  it('when somebody comes without a name, or with a wrong password, then Redis refuses', async () => {
    const options = {
      tls: { ca: readFileSync(caFile) },
      enableReadyCheck: false,
      retryStrategy: () => null,
    };
    for (const url of [server.url, server.url.replace('//', '//gateway:guessed@')]) {
      const stranger = new Redis(url, { ...options, maxRetriesPerRequest: 0 });
      stranger.on('error', () => undefined);
      await expect(stranger.call('time')).rejects.toThrow(/NOAUTH|WRONGPASS/);
      stranger.disconnect();
    }
  });
});
