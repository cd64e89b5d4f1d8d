import type pg from 'pg';
import type { TopupOrder } from '../clients/resources';
import type { LoggedStatement } from './statement-capture';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Picks what an order's own flow executed, by the ids in its parameters, transaction frames included. */
export function statementsOfOrder(
  statements: readonly LoggedStatement[],
  order: TopupOrder,
  databases: readonly string[],
): LoggedStatement[] {
  return statementsOf(
    statements,
    [order.externalReference, order.orderId, order.orderGlobalId, order.partnerId],
    databases,
  );
}

/** Picks what was executed with any of these texts in its parameters, transaction frames included. */
export function statementsOf(
  statements: readonly LoggedStatement[],
  marks: readonly string[],
  databases: readonly string[],
): LoggedStatement[] {
  const picked: LoggedStatement[] = [];
  const frames = new Map<string, LoggedStatement[]>();
  for (const statement of statements.filter((each) => databases.includes(each.database))) {
    const frame = frames.get(statement.pid);
    const isOwn = statement.parameters.some(
      (value) => value !== null && marks.some((mark) => value.includes(mark)),
    );
    if (/^begin/i.test(statement.sql)) frames.set(statement.pid, [statement]);
    else if (frame && /^(commit|rollback)/i.test(statement.sql)) {
      frames.delete(statement.pid);
      if (frame.length > 1) picked.push(...frame, statement);
    } else if (isOwn && frame) frame.push(statement);
    else if (isOwn) picked.push(statement);
  }
  // Prisma names the schema; in the yardstick's database each service has one of its own, found by the search_path.
  return picked.map((each) => ({ ...each, sql: each.sql.replaceAll('"public".', '') }));
}

/** Whose statements a script repeats, and what in their parameters is another's in each iteration. */
export interface ScriptSubject {
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  /** Made anew for each transaction: bench-<uuid>. */
  readonly reference: string;
  readonly orderGlobalId?: string;
  /** Ids that stay as they are. */
  readonly constants?: readonly string[];
  /** What each iteration takes from a table of things made beforehand: text of the capture by column; partners come from it too. */
  readonly taken?: { readonly names: ReadonlyMap<string, string>; readonly from: string };
}

/**
 * Writes the statements as a pgbench script. Each iteration takes one of the partners of table bench_partners and fresh
 * ids; everything else is as the services sent it. The connection's search_path must find all objects.
 */
export async function writePgbenchScript(
  client: pg.Client,
  statements: readonly LoggedStatement[],
  subject: ScriptSubject,
  partnerCount: number,
): Promise<string> {
  const names = new Map<string, string>([
    [subject.partnerId, 'partner_id'],
    [subject.partnerGlobalId, 'partner_global_id'],
    [subject.reference, 'reference'],
    ...(subject.taken?.names ?? []),
  ]);
  if (subject.orderGlobalId !== undefined) names.set(subject.orderGlobalId, 'global_id');
  const fresh = new Map<string, string>();
  for (const id of statements.flatMap(({ parameters }) =>
    parameters.flatMap((value) => value?.match(UUID) ?? []),
  )) {
    const isWithinAnother = [...names.keys()].some((known) => known !== id && known.includes(id));
    if (!names.has(id) && !isWithinAnother && !subject.constants?.includes(id)) {
      fresh.set(id, `id${fresh.size + 1}`);
      names.set(id, `id${fresh.size}`);
    }
  }
  const body: string[] = [];
  for (const [at, statement] of statements.entries()) {
    const types = await parameterTypes(client, statement, `bench_${at}`);
    body.push(`${inlineParameters(statement, types, names)};`);
  }
  const ids = [...fresh.values()].map((name) => `uuidv7() AS ${name}`);
  const columns = ['partner_id', 'partner_global_id', ...(subject.taken?.names.values() ?? []), ...ids];
  const from = subject.taken?.from ?? 'bench_partners WHERE n = :n';
  return [
    `\\set n random(1, ${partnerCount})`,
    `SELECT ${[...columns, `'bench-' || uuidv7() AS reference`, `'bench-' || uuidv7() AS global_id`].join(', ')}
  FROM ${from} \\gset`,
    ...body,
    '',
  ].join('\n');
}

async function parameterTypes(
  client: pg.Client,
  statement: LoggedStatement,
  name: string,
): Promise<string[]> {
  if (statement.parameters.length === 0) return [];
  await client.query(`PREPARE ${name} AS ${statement.sql}`);
  const { rows } = await client.query<{ types: string[] }>(
    'SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = $1',
    [name],
  );
  await client.query(`DEALLOCATE ${name}`);
  return rows[0]?.types ?? [];
}

function inlineParameters(statement: LoggedStatement, types: string[], names: Map<string, string>): string {
  // A colon before a word would be a pgbench variable; casts and slices by number are left alone by pgbench itself.
  return statement.sql.replace(/\$(\d+)/g, (_whole, digits: string) => {
    const at = Number(digits) - 1;
    return expressionFor(statement.parameters[at] ?? null, types[at] ?? 'text', names);
  });
}

function expressionFor(value: string | null, type: string, names: Map<string, string>): string {
  if (value === null) return `NULL::${type}`;
  const known = [...names.keys()].filter((text) => text !== '').sort((a, b) => b.length - a.length);
  const parts = value
    .split(new RegExp(`(${known.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`))
    .filter((part) => part !== '');
  const pieces = parts.map((part) => {
    const name = names.get(part);
    return name === undefined ? quote(part) : `:${name}::text`;
  });
  return `(${pieces.length === 0 ? "''" : pieces.join(' || ')})::${type}`;
}

// pgbench leaves quoted text alone, but not a colon in it, so those are written by their code.
function quote(text: string): string {
  const plain = `'${text.replaceAll("'", "''")}'`;
  return /:\w/.test(text) ? `E${plain.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}` : plain;
}
