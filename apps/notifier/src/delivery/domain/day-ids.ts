const DAY_MS = 86_400_000;
const LAST_DAY = Date.parse('9999-12-31T00:00:00Z') / DAY_MS;

/** The lowest UUIDv7 of a UTC day (YYYY-MM-DD): what was made on that day has ids from here up to those of the next day. */
export const firstIdOf = (day: string): string => firstIdAt(Date.parse(`${day}T00:00:00Z`));

/** The lowest UUIDv7 of a millisecond since the epoch; of a time before that the lowest of all. */
export function firstIdAt(millis: number): string {
  const digits = Math.max(0, millis).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** The day so many days later, or earlier for a negative number. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The first UTC day that lies between two moments as a whole, and the first one behind it that does not; the same twice where none does. */
export function wholeDays(fromMs: number, toMs: number): [first: string, end: string] {
  // Days that PostgreSQL and ISO write with ten characters; nothing was made on others.
  const [first, end] = [Math.ceil(fromMs / DAY_MS), Math.floor(toMs / DAY_MS)].map((day) =>
    Math.min(Math.max(0, day), LAST_DAY),
  ) as [number, number];
  return [nameOf(first), nameOf(Math.max(first, end))];
}

const nameOf = (days: number): string => new Date(days * DAY_MS).toISOString().slice(0, 10);

/** The UTC day on which a UUIDv7 was made. */
export const dayOf = (id: string): string =>
  new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString().slice(0, 10);
