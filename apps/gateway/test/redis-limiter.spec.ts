import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { createRateLimits } from '../src/limiter/rate-limits';
import { segmentOf, SEGMENT_MS } from '../src/limiter/segments';
import { RedisBreaker, SLIDING_WINDOW_SCRIPT, SlidingWindowRedis } from '../src/limiter/sliding-window-redis';
import { eventually, redisMissing, silentLog, startRedis, Wire, type TestRedis } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { GatewayBundle, type GatewayProcess } from './support/gateway-process';
import { startDependencies, type Dependencies } from './support/dependencies';
import { Signer } from './support/signer';

// The tests of the script take the Redis of TEST_REDIS_URL where there is one; an outage needs a server of its own.
const given = process.env['TEST_REDIS_URL'];
const missing = redisMissing();

describeWith(given ? undefined : missing, 'the limiter shared through Redis', () => {
  const unique = randomUUID();
  let server: TestRedis | undefined;
  let redis: Redis;
  beforeAll(async () => {
    server = given ? undefined : await startRedis();
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
    const create = () =>
      new SlidingWindowRedis(redis, { name: unique, points: 300 }, new RedisBreaker(() => undefined));
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

  it('when no permit is taken, then Redis only says whether one would be given (spec §14.3)', async () => {
    const limiter = new SlidingWindowRedis(
      redis,
      { name: `${unique}-check`, points: 1 },
      new RedisBreaker(() => undefined),
    );
    const outcome = async () =>
      limiter.consume('a', 0).then(
        () => 'passes',
        () => 'refused',
      );
    expect([await outcome(), await outcome()]).toEqual(['passes', 'passes']);
    await limiter.consume('a');
    expect(await outcome()).toBe('refused');
  });

  it('when the connection was forgotten on the way, as by a firewall, then another is made, and the limit is shared again', async () => {
    const url = given ?? server?.url ?? '';
    const { port, hostname } = new URL(url);
    const way = await Wire.to(Number(port), hostname);
    const metrics = new Registry();
    const limits = await createRateLimits({
      tokenPermits: 1_000,
      defaultPermits: 1_000,
      redisUrl: way.over(url),
      log: silentLog,
      metrics,
    });
    const untilDegradedIs = (expected: 0 | 1) =>
      eventually(async () => {
        await limits.byAddress(unique);
        expect(await metrics.metrics()).toContain(`gateway_rate_limiter_degraded ${expected}\n`);
      });
    await eventually(() => expect(way.connections).toBeGreaterThan(0));
    await untilDegradedIs(0);
    way.forget();
    await untilDegradedIs(1);
    await untilDegradedIs(0);
    limits.close();
    way.close();
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

describeWith(missing, 'two gateways on one Redis (spec §11.3)', () => {
  const LIMIT = 40;
  let server: TestRedis;
  let bundle: GatewayBundle;
  let dependencies: Dependencies;
  let signer: Signer;
  let gateways: [GatewayProcess, GatewayProcess];
  beforeAll(async () => {
    server = await startRedis();
    bundle = new GatewayBundle();
    signer = await Signer.create();
    dependencies = await startDependencies(signer);
    const start = () =>
      bundle.start(dependencies, {
        REDIS_URL: server.url,
        RATE_LIMIT_DEFAULT: String(LIMIT),
        RATE_LIMIT_TOKEN: '7',
      });
    gateways = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    bundle.remove();
    await dependencies.stop();
    await server.remove();
  });

  /** A read that is refused for its shape, right after its permit: whatever it would have called may be slow. */
  const read = (gateway: GatewayProcess, token: string) =>
    gateway.get(token, '/api/v1/wallet/transactions?page=none');
  /** How many of so many requests at once, half of them to each gateway, pass; any status but these and 429 fails. */
  const passed = async (
    of: readonly GatewayProcess[],
    count: number,
    request: (gateway: GatewayProcess) => Promise<Response>,
    passing = 400,
  ) => {
    const responses = await Promise.all(
      Array.from({ length: count }, (_, at) => request(of[at % of.length]!)),
    );
    const refused = responses.filter(({ status }) => status === 429);
    const others = responses.map(({ status }) => status).filter((status) => ![passing, 429].includes(status));
    expect(others).toEqual([]);
    for (const { headers } of refused) {
      expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(headers.get('x-request-id')).toBeTruthy();
    }
    return count - refused.length;
  };
  const passedBy = async (of: readonly GatewayProcess[], count: number) => {
    const token = await signer.sign({ client_id: randomUUID() });
    return passed(of, count, (gateway) => read(gateway, token));
  };
  const degraded = () => Promise.all(gateways.map((gateway) => gateway.isDegraded()));
  /** Asks until both gateways count in the same place again, each time as another client. */
  const untilShared = () =>
    eventually(
      async () => {
        await passedBy(gateways, 2);
        expect(await degraded()).toEqual([false, false]);
      },
      { intervalMs: 50 },
    );

  it('when a client spends its permits at both at once, then exactly as many pass as there are', async () => {
    expect(await passedBy(gateways, 3 * LIMIT)).toBe(LIMIT);
    expect(await passedBy(gateways, LIMIT)).toBe(LIMIT);
    expect(await degraded()).toEqual([false, false]);
  });

  it('when an address asks both for tokens, then its permits are shared as well', async () => {
    const body = JSON.stringify({ clientId: 'c', clientSecret: 's' });
    const headers = { 'content-type': 'application/json' };
    const request = (gateway: GatewayProcess) =>
      fetch(`${gateway.url}/api/v1/auth/token`, { method: 'POST', headers, body });
    expect(await passed(gateways, 30, request, 200)).toBe(7);
  });

  it('when Redis is killed under load, then each goes on by a limit of its own and says so, and shares again when it is back', async () => {
    const before = await signer.sign({ client_id: 'before' });
    expect(await passed(gateways, 10, (gateway) => read(gateway, before))).toBe(10);
    const underWay = passedBy(gateways, 3 * LIMIT);
    await server.kill();
    // Some counted by Redis, some by each gateway: never more than that together, and each gets a response.
    expect(await underWay).toBeLessThanOrEqual(3 * LIMIT);
    await passedBy(gateways, 2);
    expect(await degraded()).toEqual([true, true]);
    for (const gateway of gateways) expect(await passedBy([gateway], 2 * LIMIT)).toBe(LIMIT);
    expect(await passedBy(gateways, 4 * LIMIT)).toBe(2 * LIMIT);

    await server.start();
    await untilShared();
    // It has forgotten what it counted, and counts for both from there.
    expect(await passed(gateways, 3 * LIMIT, (gateway) => read(gateway, before))).toBe(LIMIT);
    expect(await passedBy(gateways, 3 * LIMIT)).toBe(LIMIT);
  });

  it('when Redis hangs, then requests are served without it, and it is shared again when it goes on', async () => {
    server.freeze();
    const token = await signer.sign({ client_id: 'patient' });
    // Served at all while nothing comes from Redis: how fast is for the benchmark to say.
    expect(await passed(gateways, 2 * LIMIT, (gateway) => read(gateway, token))).toBe(2 * LIMIT);
    expect(await degraded()).toEqual([true, true]);
    server.thaw();
    await untilShared();
    expect(await passedBy(gateways, 3 * LIMIT)).toBe(LIMIT);
  });
});

async function redisClock(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
