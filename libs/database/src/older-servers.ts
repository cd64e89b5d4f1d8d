import type { Queryable } from './query';

/** What our SQL uses and servers before some major version lack, each under the name that PostgreSQL has for it unless said. */
const FILL_INS = [
  {
    name: 'uuidv7',
    found: `to_regprocedure('public.uuidv7(interval)')`,
    since: 18,
    // 48 bits of milliseconds, 4 of version, 12 of the microseconds in one, 2 of variant, 62 at random.
    sql: `CREATE FUNCTION public.uuidv7(shift interval DEFAULT '0') RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
      SELECT encode(substring(int8send(t.us / 1000) FROM 3) || int2send((28672 + (t.us % 1000) * 4096 / 1000)::int2)
                    || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid
      FROM (SELECT floor(extract(epoch FROM clock_timestamp() + shift) * 1000000)::bigint AS us) t
    $$`,
  },
  {
    name: 'uuidv7_time',
    found: `to_regprocedure('public.uuidv7_time(uuid)')`,
    // By a name of ours everywhere: the uuid_extract_timestamp of 17 finds no time in version 7, and one of ours would be found after it.
    since: Infinity,
    // Of an id of version 7, whose first 48 bits are milliseconds. Not STRICT, so that it is part of the statement that calls it.
    sql: `CREATE FUNCTION public.uuidv7_time(uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT to_timestamp(('x' || encode(substring(uuid_send($1) FOR 6), 'hex'))::bit(48)::bigint / 1000.0::float8)
    $$`,
  },
  {
    name: 'pg_unicode_fast',
    found: `to_regcollation('public.pg_unicode_fast')`,
    since: 18,
    sql: 'CREATE COLLATION public.pg_unicode_fast FROM "und-x-icu"',
  },
  {
    name: 'casefold',
    found: `to_regprocedure('public.casefold(text)')`,
    since: 18,
    // Upper case first, in which ß is SS. A sigma at the end of a word has a form of its own.
    sql: `CREATE FUNCTION public.casefold(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT replace(lower(upper($1 COLLATE "und-x-icu") COLLATE "und-x-icu"), 'ς', 'σ')
    $$`,
  },
];

/** What such servers cannot read, and what says the same there. */
const WORDINGS = [
  { since: 16, ours: '"details" IS JSON OBJECT', theirs: `json_typeof("details"::json) = 'object'` },
];

/** What a server of a major version gets from us, by name. */
export const fillInsOf = (major: number): string[] =>
  FILL_INS.filter(({ since }) => major < since).map(({ name }) => name);

/** The major version of the server. */
export async function majorOf(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS major",
  );
  return rows[0]?.major ?? 0;
}

/** Gives an older server what it lacks of what migrations, routines and services use; resolves with its major version. */
export async function fillIn(client: Queryable): Promise<number> {
  const major = await majorOf(client);
  await fillInFor(client, major);
  return major;
}

/** The same, as for a server of a major version. */
export async function fillInFor(client: Queryable, major: number): Promise<void> {
  for (const { sql, found } of FILL_INS.filter(({ since }) => major < since)) {
    // Whoever made it owns it, and need not be who migrates now.
    const { rows } = await client.query<{ isThere: boolean }>(`SELECT ${found} IS NOT NULL AS "isThere"`);
    if (!rows[0]?.isThere) await client.query(sql);
  }
}

/** A script as a server of a major version can read it. */
export const wordedFor = (major: number, script: string): string =>
  WORDINGS.filter(({ since }) => major < since).reduce(
    (text, { ours, theirs }) => text.replaceAll(ours, theirs),
    script,
  );
