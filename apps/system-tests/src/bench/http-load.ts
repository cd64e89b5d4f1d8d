import autocannon from 'autocannon';
import { percentile } from '../percentile';

/** What one round of load found. */
export interface LoadResult {
  readonly count: number;
  readonly seconds: number;
  /** Responses that were not what they should be. */
  readonly failures: number;
  /** 99th percentile in milliseconds. */
  readonly p99: number;
}

/** Reads one address over and over, by `connections` kept open, one request at a time on each. */
export async function readRepeatedly(input: {
  url: string;
  token: string;
  connections: number;
  seconds: number;
}): Promise<LoadResult> {
  const result = await autocannon({
    url: input.url,
    connections: input.connections,
    duration: input.seconds,
    headers: { authorization: `Bearer ${input.token}` },
  });
  return {
    count: result['2xx'],
    seconds: result.duration,
    failures: result.non2xx + result.errors,
    p99: result.latency.p99,
  };
}

/** Does `one` over and over, so many at once, each in turn with itself; false is a failure. Ends early when it returns undefined. */
export async function repeat(
  { seconds, atOnce }: { readonly seconds: number; readonly atOnce: number },
  one: () => Promise<boolean> | undefined,
): Promise<LoadResult> {
  const latencies: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const sentAt = performance.now();
      const done = one();
      if (!done) return;
      if (await done) latencies.push(performance.now() - sentAt);
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const took = (performance.now() - startedAt) / 1_000;
  return { count: latencies.length, seconds: took, failures, p99: percentile(latencies, 0.99) };
}
