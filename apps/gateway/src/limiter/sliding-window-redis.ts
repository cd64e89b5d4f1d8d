import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { WINDOW_SECONDS } from './segments';
import { SlidingWindowMemory } from './sliding-window-memory';

/**
 * One atomic script for each request (spec §11.3): a hash of at most four segment counts on Redis' own clock.
 * The library hands in ARGV: permits, seconds, limit, duration; it takes back the permits consumed (more than the
 * limit means refused) and the milliseconds until one passes again.
 */
export const SLIDING_WINDOW_SCRIPT = `
local permits, limit, segmentMs = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4]) * 250
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local current = math.floor(now / segmentMs)
local counts, used = {0, 0, 0, 0}, 0
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  local segment, count = tonumber(stored[i]), tonumber(stored[i + 1])
  if segment <= current - 4 then
    redis.call('HDEL', KEYS[1], stored[i])
  else
    local place = math.min(4, 4 - (current - segment))
    counts[place] = counts[place] + count
    used = used + count
  end
end
if used + math.max(1, permits) > limit then
  local left = used
  for i = 1, 4 do
    left = left - counts[i]
    if left < limit then return {limit + 1, (current - 4 + i + 4) * segmentMs - now} end
  end
  return {limit + 1, segmentMs * 4}
end
if permits > 0 then
  redis.call('HINCRBY', KEYS[1], string.format('%d', current), permits)
  redis.call('PEXPIRE', KEYS[1], segmentMs * 4)
end
return {used + permits, 0}
`;

/** How long Redis is left alone after it failed to respond, so that a hanging one costs few requests their patience. */
const RETRY_AFTER_MS = 1_000;
/** How long a request waits for Redis before it is counted in memory. */
const PATIENCE_MS = 250;

/**
 * Whether Redis can be called; one for all limiters on a connection, so that what one of them finds holds for the others.
 * `onDegraded` is called after each attempt, with why it failed.
 */
export class RedisBreaker {
  private isAway = false;
  private isProbing = false;
  private leaveAloneUntil = 0;

  constructor(private readonly onDegraded: (isDegraded: boolean, reason?: string) => void) {}

  /** The response of Redis, or `undefined` while it is away; a refusal is a response, and thrown. */
  async ask(question: () => Promise<RateLimiterRes>): Promise<RateLimiterRes | undefined> {
    // One request at a time finds out whether Redis is back; the others neither wait for it nor fall upon it together.
    if (this.isAway && (this.isProbing || performance.now() < this.leaveAloneUntil)) return undefined;
    this.isProbing = this.isAway;
    try {
      const passed = await patiently(question());
      this.note(false);
      return passed;
    } catch (refusal) {
      const isAway = !(refusal instanceof RateLimiterRes);
      this.note(isAway, isAway ? String((refusal as Error).message) : undefined);
      if (!isAway) throw refusal;
      return undefined;
    }
  }

  private note(isAway: boolean, reason?: string): void {
    this.isAway = isAway;
    this.isProbing = false;
    if (isAway) this.leaveAloneUntil = performance.now() + RETRY_AFTER_MS;
    this.onDegraded(isAway, reason);
  }
}

/**
 * The sliding window shared by every gateway through Redis; while Redis is away it counts in memory, and tries Redis again
 * every second. It neither stops serving nor stops limiting (spec §11.3).
 */
export class SlidingWindowRedis {
  private readonly limiter: RateLimiterRedis;
  private readonly memory: SlidingWindowMemory;

  constructor(
    redis: Redis,
    options: { name: string; points: number },
    private readonly breaker: RedisBreaker,
  ) {
    this.memory = new SlidingWindowMemory(options.points);
    this.limiter = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `reseller:limit:${options.name}`,
      points: options.points,
      duration: WINDOW_SECONDS,
      customIncrTtlLuaScript: SLIDING_WINDOW_SCRIPT,
      rejectIfRedisNotReady: true,
    });
  }

  /** As SlidingWindowMemory.consume. */
  async consume(key: string, permits = 1): Promise<RateLimiterRes> {
    const passed = await this.breaker.ask(() => this.limiter.consume(key, permits));
    return passed ?? this.memory.consume(key, permits);
  }
}

/**
 * Rejects when there is no response in time. A response that has come and was not read yet, since this process was busy,
 * is no silence: what has arrived is read before the verdict.
 */
function patiently<T>(response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(new Error('Redis is silent'))), PATIENCE_MS);
    response.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
