import { Client } from 'pg';

/** What is in a database of its own, and somebody else's than the owner's: not extensions, nor what goes with a table. */
const FOREIGN = `
  SELECT format('ALTER SCHEMA %I OWNER TO %I', n.nspname, $1::text) AS command
  FROM pg_namespace AS n
  WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'public') AND n.nspowner <> $1::regrole
  UNION ALL
  SELECT format('ALTER TABLE %I.%I OWNER TO %I', n.nspname, c.relname, $1)
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relowner <> $1::regrole
    AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
      AND (d.deptype = 'e' OR d.deptype IN ('a', 'i') AND c.relkind = 'S'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, $1)
  FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND p.proowner <> $1::regrole
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER TYPE %I.%I OWNER TO %I', n.nspname, t.typname, $1)
  FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND t.typowner <> $1::regrole
    AND (t.typtype IN ('e', 'd') OR EXISTS (SELECT FROM pg_class AS c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
    AND NOT EXISTS (
      SELECT FROM pg_depend AS d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')`;

/** Gives all that is in the client's database to the role. */
export async function giveDatabase(client: Client, owner: string): Promise<void> {
  const { rows } = await client.query<{ command: string }>(FOREIGN, [owner]);
  if (rows.length > 0) await client.query(rows.map(({ command }) => command).join('; '));
}

/** Makes the roles that are not there, and sees to the passwords of all. */
export async function makeRoles(client: Client, passwords: ReadonlyMap<string, string>): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>('SELECT rolname FROM pg_roles');
  const present = new Set(rows.map(({ rolname }) => rolname));
  const commands = [...passwords].map(
    ([role, password]) =>
      `${present.has(role) ? 'ALTER' : 'CREATE'} ROLE ${client.escapeIdentifier(role)} LOGIN PASSWORD ${client.escapeLiteral(password)}`,
  );
  await client.query(commands.join('; '));
}

/** Connects for one piece of work. */
export async function withClient<T>(
  connectionString: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
