import { rowsOf } from './rows-of';

const CONSUMERS = ['finance', 'scent-commerce', 'notifier'] as const;

/** How many dead letters each consumer of events has, decided or not. */
export async function countDeadLetters(): Promise<{ consumer: string; n: number }[]> {
  return await Promise.all(
    CONSUMERS.map(async (consumer) => {
      const [row] = await rowsOf<{ n: number }>(consumer, 'SELECT count(*)::int AS n FROM dead_letters');
      return { consumer, n: row?.n ?? 0 };
    }),
  );
}
