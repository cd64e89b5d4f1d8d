import autocannon from 'autocannon';

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
