import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { segmentOf, SEGMENT_MS } from '../src/limiter/segments';
import { SLIDING_WINDOW_SCRIPT, SlidingWindowRedis } from '../src/limiter/sliding-window-redis';
import { TestGateway } from './support/gateway';
import { redisMissing, TestRedis } from './support/redis';

// The tests of the script take the Redis of REDIS_TEST_URL where there is one; an outage needs a server of its own.
const given = process.env['REDIS_TEST_URL'];
const missing = redisMissing();
if (missing && process.env['CI'] === 'true') {
  it('when tests run in CI, then a Redis is there', () => {
    throw new Error(missing);
  });
}
const describeOr = (reason: string | undefined) => (reason ? describe.skip : describe);
const skipped = (reason: string | undefined) => (reason ? ` (skipped: ${reason})` : '');
const scriptMissing = given ? undefined : missing;

describeOr(scriptMissing)(`the limiter shared through Redis${skipped(scriptMissing)}`, () => {
  const unique = randomUUID();
  let server: TestRedis | undefined;
  let redis: Redis;
  beforeAll(async () => {
    server = given ? undefined : await TestRedis.create();
    redis = new Redis(given ?? server?.url ?? '');
    redis.on('error', () => undefined);
    await redis.ping();
  });
  afterAll(async () => {
    redis.disconnect();
    await server?.remove();
  });

  const outcomes = async (limiter: SlidingWindowRedis, key: string, count: number) => {
    const results = await Promise.allSettled(Array.from({ length: count }, () => limiter.consume(key)));
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => reason as RateLimiterRes);
    return { passed: count - refused.length, refused };
  };

  it('when two gateways spend one key’s permits at once, then together they pass exactly the limit', async () => {
    const create = () => new SlidingWindowRedis(redis, { name: unique, points: 300 }, () => undefined);
    const both = await Promise.all([outcomes(create(), 'k', 250), outcomes(create(), 'k', 250)]);
    expect(both[0].passed + both[1].passed).toBe(300);
    for (const { msBeforeNext } of both.flatMap(({ refused }) => refused)) {
      expect(msBeforeNext).toBeGreaterThan(0);
      expect(msBeforeNext).toBeLessThanOrEqual(60_000);
    }
    const counts = await redis.hvals(`reseller:limit:${unique}:k`);
    expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(300);
    expect(await redis.pttl(`reseller:limit:${unique}:k`)).toBeLessThanOrEqual(60_000);
  });

  it('when older segments hold permits, then only those in the window count and the wait ends when enough leave', async () => {
    const now = await redisClock(redis);
    const current = segmentOf(now);
    await redis.hset(unique, { [current - 4]: 99, [current - 3]: 1, [current - 1]: 2 });
    const take = () =>
      redis.eval(SLIDING_WINDOW_SCRIPT, 1, unique, '1', '60', '4', '60') as Promise<[number, number]>;
    expect(await take()).toEqual([4, 0]);
    const [consumed, wait] = await take();
    // Should a segment have ended meanwhile, the oldest permit has left already.
    if (segmentOf(await redisClock(redis)) !== current) return;
    expect(consumed).toBe(5);
    expect(wait).toBeGreaterThan((current + 1) * SEGMENT_MS - (await redisClock(redis)) - 1);
    expect(wait).toBeLessThanOrEqual((current + 1) * SEGMENT_MS - now);
    expect(Object.keys(await redis.hgetall(unique)).sort()).toEqual(
      [current - 3, current - 1, current].map(String),
    );
  });
});

describeOr(missing)(`a Redis that goes away${skipped(missing)}`, () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await TestRedis.create();
  });
  afterAll(() => server.remove());

  it('when Redis hangs, dies and comes back, then the gateway keeps serving and limiting, and says so', async () => {
    const gateway = await TestGateway.start({ REDIS_URL: server.url, RATE_LIMIT_DEFAULT: '3' });
    const statuses = async (clientId: string, count: number) => {
      const token = await gateway.signer.sign({ client_id: clientId });
      const answers = [];
      for (let i = 0; i < count; i += 1)
        answers.push((await gateway.sendAs(token, '/api/v1/wallet/balance')).status);
      return answers;
    };
    const isDegraded = async () =>
      /gateway_rate_limiter_degraded\{.*\} 1/.test((await gateway.send('/metrics')).text);
    expect([await statuses('a', 4), await isDegraded()]).toEqual([[200, 200, 200, 429], false]);
    server.freeze();
    expect([await statuses('b', 4), await isDegraded()]).toEqual([[200, 200, 200, 429], true]);
    await server.stop();
    expect([await statuses('c', 4), await isDegraded()]).toEqual([[200, 200, 200, 429], true]);
    await server.start();
    const giveUpAt = Date.now() + 10_000;
    for (let i = 0; (await isDegraded()) && Date.now() < giveUpAt; i += 1) await statuses(`probe-${i}`, 1);
    expect([await statuses('d', 4), await isDegraded()]).toEqual([[200, 200, 200, 429], false]);
    await gateway.stop();
  });
});

async function redisClock(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
