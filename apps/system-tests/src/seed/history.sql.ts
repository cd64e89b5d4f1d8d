import type { EnvironmentName } from '../platform/platform-file';

/** SQL for an order's global id behind its prefix: the 128 bits of its id, in `bits` behind two zero bits, in Crockford's base 32. */
export const GLOBAL_ID_DIGITS = Array.from(
  { length: 26 },
  (_, at) =>
    `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substring(bits FROM ${1 + 5 * at} FOR 5)::integer + 1, 1)`,
).join(' || ');

/** A part of one partner's history. */
export interface HistoryPiece {
  readonly partnerId: string;
  readonly environment: EnvironmentName;
  /** What references begin with; another history of the same partner has another. */
  readonly run: string;
  /** The first order of the piece and the last, from 1, of so many in all. */
  readonly first: number;
  readonly last: number;
  readonly total: number;
  /** Over how many days, which end at `until`, a midnight of UTC. */
  readonly days: number;
  readonly until: Date;
}

/** A piece as the statements below take it. */
export const parametersOf = (piece: HistoryPiece): unknown[] => [
  piece.partnerId,
  piece.environment,
  piece.run,
  piece.first,
  piece.last,
  piece.total,
  piece.days,
  piece.until,
];

/** SQL for a UUIDv7 of a moment whose other bits follow from a text, so that each database makes the same. */
export const idOf = (moment: string, text: string): string =>
  `(lpad(to_hex(floor(extract(epoch FROM ${moment}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${text}), 1, 3)
    || '8' || substr(md5(${text}), 4, 15))::uuid`;

// On which of the days the nth order of all was placed, as a fraction.
const DAY = '$7::integer * sqrt((n - 1)::float8 / $6::integer)';
// A day has few orders at midnight and many at noon: the derivative of x + 0.12 sin 2πx is large where time goes by fast.
const MOMENT = `$8::timestamptz - $7::integer * interval '1 day'
  + interval '1 day' * (floor(day) + (day - floor(day)) + 0.12 * sin(2 * pi() * (day - floor(day))))`;

/**
 * SQL for the orders of a piece, by its parameters ($1 to $8), the same in every database: n, is_esim, status, amount, at, id, global_id,
 * reference and phone. Two in seven are eSIMs; one in twenty failed, one in a hundred was reversed, one in two hundred
 * cancelled, one in a thousand of the last three days needs an operator, the rest completed. Days have more orders than nights, and the
 * later years more than the first. OFFSET 0 has each expression computed once: pulled up, an id would be made anew for each digit of it.
 */
export const HISTORY = `
  SELECT *, CASE WHEN is_esim THEN 'ES-' ELSE 'TU-' END || ${GLOBAL_ID_DIGITS} AS global_id, 'seed-' || $3::text || '-' || n AS reference,
    '+9665' || lpad((hashtext(id::text) & 67108863)::text, 8, '0') AS phone
  FROM (
    SELECT *, ('00' || ('x' || replace(id::text, '-', ''))::bit(128)::text)::bit(130) AS bits
    FROM (
      SELECT *, ${idOf('at', `$1::uuid || $2::text || $3::text || n`)} AS id
      FROM (
        SELECT *, ${MOMENT} AS at
        FROM (
          SELECT n, n % 7 < 2 AS is_esim, (CASE WHEN n % 7 < 2 THEN 19 ELSE 5 + n % 200 END)::numeric(14, 2) AS amount,
            CASE WHEN n % 20 = 7 THEN 'Failed' WHEN n % 100 = 9 THEN 'Reversed' WHEN n % 200 = 31 THEN 'Cancelled'
              WHEN ($6::integer - n) % 1000 = 7 AND ${DAY} > $7::integer - 3 THEN 'InterventionRequired' ELSE 'Completed' END AS status,
            ${DAY} AS day
          FROM generate_series($4::integer, $5::integer) AS n
        ) AS counted OFFSET 0
      ) AS spread OFFSET 0
    ) AS named OFFSET 0
  ) AS known`;
