import { createHash } from 'node:crypto';

/** Numbers that follow from a seed. */
export interface Random {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T | undefined;
}

/** The same numbers for the same seed, on every machine. */
export function createRandom(seed: string): Random {
  let count = 0;
  const below = (limit: number): number => {
    count += 1;
    return createHash('sha256').update(`${seed}/${count}`).digest().readUInt32BE() % limit;
  };
  return { below, pick: (items) => items[below(Math.max(1, items.length))] };
}
