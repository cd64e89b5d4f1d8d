import { pagesRead } from '@reseller/testing';
import type { Pool } from 'pg';

/** Explains each statement, with its effects, in place of running it; what it would return is not known. */
export function explaining(pool: Pool): { explained: Pool; pages: () => number } {
  let sum = 0;
  const run = async ({ text, values }: { text: string; values: unknown[] }): Promise<{ rows: never[] }> => {
    sum += await pagesRead(pool, { text }, values);
    return { rows: [] };
  };
  // A repository calls nothing else of its pool.
  return { explained: { query: run } as unknown as Pool, pages: () => sum };
}

/** With all plans made, and without what autovacuum has a connection read anew of the catalog at any time. */
export async function leastOf(measure: () => Promise<number>): Promise<number> {
  const pages: number[] = [];
  for (let n = 0; n < 4; n += 1) pages.push(await measure());
  return Math.min(...pages);
}
