import type { Schemas } from '../api/client';

/** The orders of an hour or a day, by what they are split by. */
export interface Bucket {
  /** Its beginning, in UTC. */
  readonly at: string;
  /** Its end, which is the next one's beginning. */
  readonly until: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly amounts: Readonly<Record<string, number>>;
}

type Hour = Schemas['HourOfOrders'];

const HOUR_MS = 3_600_000;
/** More bars than this are days, not hours. */
const MOST_HOURS = 48;

/** The sum of amounts of at most two decimals, exactly: in whole halalas, which a number carries up to 90 billion SAR. */
export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;

/** Whether a time is shown by days. */
export const isByDay = (from: string, to: string): boolean =>
  Date.parse(to) - Date.parse(from) > MOST_HOURS * HOUR_MS;

/** Every hour of the time, or every day of a long one, those without orders too. */
export function bucketsOf(
  { orders, from, to }: Pick<Schemas['Overview'], 'orders' | 'from' | 'to'>,
  keyOf: (hour: Hour) => string,
): readonly Bucket[] {
  const size = isByDay(from, to) ? 24 * HOUR_MS : HOUR_MS;
  const startOf = (at: string): number => Math.floor(Date.parse(at) / size) * size;
  const found = new Map<number, Hour[]>();
  for (let at = startOf(from); at < Date.parse(to); at += size) found.set(at, []);
  for (const hour of orders) found.get(startOf(hour.hour))?.push(hour);
  return [...found].map(([at, hours]) => {
    const groups = Object.entries(Object.groupBy(hours, keyOf)).map(
      ([key, group = []]) => [key, group] as const,
    );
    return {
      at: new Date(at).toISOString(),
      until: new Date(at + size).toISOString(),
      counts: Object.fromEntries(
        groups.map(([key, group]) => [key, group.reduce((sum, { count }) => sum + count, 0)]),
      ),
      amounts: Object.fromEntries(
        groups.map(([key, group]) => [key, sumOf(group.map(({ amount }) => amount))]),
      ),
    };
  });
}

/** The orders of all the time, by what they are split by, most first. */
export function totalsOf(
  orders: readonly Hour[],
  keyOf: (hour: Hour) => string,
): readonly { readonly key: string; readonly count: number; readonly amount: number }[] {
  return Object.entries(Object.groupBy(orders, keyOf))
    .map(([key, group = []]) => ({
      key,
      count: group.reduce((sum, { count }) => sum + count, 0),
      amount: sumOf(group.map(({ amount }) => amount)),
    }))
    .sort((one, other) => other.count - one.count);
}
