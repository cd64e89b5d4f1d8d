import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@reseller/errors';
import { readPemFile } from '@reseller/service-kit';
import { SlidingWindowMemory } from './sliding-window-memory';
import { RedisBreaker, SlidingWindowRedis } from './sliding-window-redis';

/** Takes permits of a key: at once (undefined) or when it is known; throws or rejects with a RateLimiterRes. */
type TakePermits = (key: string, permits: number) => Promise<RateLimiterRes> | undefined;

interface RateLimitOptions {
  /** Permits a minute of the token endpoint, by address (spec §11.4). */
  tokenPermits: number;
  /** Permits a minute of everything else, by client id, or by address without a valid token. */
  defaultPermits: number;
  redisUrl?: string | undefined;
  /** PEM file with the certificates that Redis' own must come from; without it those that Node.js knows. */
  redisCaFile?: string | undefined;
  log: Logger;
  metrics: Registry;
}

/** Undefined where a limit is looked up in memory, for nobody has to wait then. */
type Passed = Promise<void> | undefined;

/** The limits of spec §11; each method returns or resolves when the request may pass, and throws or rejects with RATE_LIMITED otherwise. */
export interface RateLimits {
  byClient(clientId: string): Passed;
  byAddress(address: string): Passed;
  /** As byAddress, and uses no permit. */
  checkAddress(address: string): Passed;
  tokenByAddress(address: string): Passed;
  close(): void;
}

/** A key is this long at most, in memory and in Redis; a longer one is counted by its hash (spec §14.3). */
const LONGEST_KEY = 64;

const boundedKey = (key: string): string =>
  key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64url');

function takePermit(take: TakePermits, key: string, permits = 1): Passed {
  try {
    return take(boundedKey(key), permits)?.then(() => undefined, refuse);
  } catch (refusal) {
    return refuse(refusal);
  }
}

function refuse(refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  throw new AppError('RATE_LIMITED', { retryAfterSeconds });
}

const SAME_AGAIN_AFTER_MS = 60_000;

/** A connection that fails at once instead of queueing: a limiter must respond now or not at all. */
async function connectRedis(url: string, { redisCaFile, log }: RateLimitOptions): Promise<Redis> {
  const { Redis: RedisClient } = await import('ioredis');
  const redis = new RedisClient(url, {
    ...(redisCaFile && { tls: { ca: readPemFile('REDIS_CA_FILE', redisCaFile, 'certificates') } }),
    enableOfflineQueue: false,
    // It would take the right to read all about the server; one that still loads refuses commands, which counts as away.
    enableReadyCheck: false,
    connectTimeout: 2_000,
    // A server of which nothing comes back any more, and no end either, would be tried on the same connection for a quarter of an hour.
    socketTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
  });
  let logged: { reason?: string | undefined; at: number } = { at: 0 };
  redis.on('error', (error: NodeJS.ErrnoException) => {
    const reason = error.message || error.code;
    // It comes with every attempt, of which there is one a second.
    if (reason === logged.reason && Date.now() - logged.at < SAME_AGAIN_AFTER_MS) return;
    logged = { reason, at: Date.now() };
    log.warn({ reason }, 'Redis at REDIS_URL cannot be used');
  });
  return redis;
}

/**
 * Builds the limits: shared through Redis when an address is given, in this process's memory otherwise, and while Redis is away. Then
 * a partner may pass up to one limit more for each gateway, for limiting roughly is better than refusing everybody. A command
 * without a response in time counts as failed; Redis is left alone for a second and tried by one request at a time.
 */
export async function createRateLimits(options: RateLimitOptions): Promise<RateLimits> {
  const degraded = new Gauge({
    name: 'gateway_rate_limiter_degraded',
    help: '1 while Redis cannot be reached and each gateway limits by its own memory; 0 also where no Redis is configured. Each instance has its own: take max().',
    registers: [options.metrics],
  });
  const redis = options.redisUrl ? await connectRedis(options.redisUrl, options) : undefined;
  let isDegraded = false;
  const onDegraded = (now: boolean, reason?: string): void => {
    if (now === isDegraded) return;
    isDegraded = now;
    degraded.set(now ? 1 : 0);
    options.log.warn(
      { event: 'rate-limiter', degraded: now, ...(reason && { reason }) },
      now ? 'limiting in memory' : 'limiting in Redis',
    );
  };
  const breaker = new RedisBreaker(onDegraded);
  const create = (name: string, points: number): TakePermits => {
    if (!redis) return takeInMemory(new SlidingWindowMemory(points));
    const shared = new SlidingWindowRedis(redis, { name, points }, breaker);
    return (key, permits) => shared.consume(key, permits);
  };
  const clients = create('client', options.defaultPermits);
  const addresses = create('address', options.defaultPermits);
  const tokens = create('token', options.tokenPermits);
  return {
    byClient: (clientId) => takePermit(clients, clientId),
    byAddress: (address) => takePermit(addresses, address),
    checkAddress: (address) => takePermit(addresses, address, 0),
    tokenByAddress: (address) => takePermit(tokens, address),
    close: () => redis?.disconnect(),
  };
}

function takeInMemory(memory: SlidingWindowMemory): TakePermits {
  return (key, permits) => {
    memory.take(key, permits);
    return undefined;
  };
}
