import { withTransaction } from '@reseller/database';
import { escapeLiteral, type Pool, type PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { ArchivePart } from './archived-table';

/** Rows of a page, which is held in memory: no transaction stays open while the store takes its time. */
const PAGE_ROWS = 2_000;

/** Counts the rows that were read. */
interface RowCount {
  rows: number;
}

/**
 * The rows of a part as CSV with a head line, in the order of their keys, page by page, each in a short transaction. Rows that
 * do not change come as the same bytes each time.
 */
export async function* csvPages(pool: Pool, part: ArchivePart, count: RowCount): AsyncGenerator<Buffer> {
  yield Buffer.from(`${part.of.columns.map(({ name }) => name).join(',')}\n`);
  let after: string | undefined;
  for (;;) {
    const page = await readPage(pool, part, after);
    if (!page) break;
    count.rows += page.rows;
    after = page.last;
    yield page.csv;
  }
  if (count.rows !== (part.expected ?? count.rows))
    throw new Error(`${part.relation}: ${count.rows} rows were read, expected ${part.expected}`);
}

interface Page {
  csv: Buffer;
  rows: number;
  last: string;
}

function readPage(pool: Pool, part: ArchivePart, after: string | undefined): Promise<Page | undefined> {
  const { key } = part.of;
  const left = [part.rows ?? 'true', ...(after === undefined ? [] : [`${key} > ${escapeLiteral(after)}`])];
  return withTransaction(pool, async (tx) => {
    await tx.query(`SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'`);
    const { rows } = await tx.query<{ last: string; rows: number }>(
      `SELECT key::text AS last, count(*) OVER ()::integer AS rows
       FROM (SELECT ${key} AS key FROM ${part.relation} WHERE ${left.join(' AND ')} ORDER BY ${key} LIMIT ${PAGE_ROWS}) AS page
       ORDER BY key DESC LIMIT 1`,
    );
    const [bounds] = rows;
    if (!bounds) return undefined;
    const until = `${key} <= ${escapeLiteral(bounds.last)}`;
    const copied = await copyOut(tx, selectOf(part, [...left, until].join(' AND ')));
    // A join that gives a row more than once, or none, would make an archive of something else.
    if (copied.rows !== bounds.rows)
      throw new Error(`${part.relation}: ${copied.rows} rows were read, expected ${bounds.rows}`);
    return { csv: copied.csv, ...bounds };
  });
}

function selectOf({ of, relation }: ArchivePart, where: string): string {
  const columns = of.columns.map(({ name, from = `r.${name}` }) => `${from} AS ${name}`);
  return `SELECT ${columns.join(', ')} FROM (SELECT * FROM ${relation} WHERE ${where}) AS r ${of.join ?? ''} ORDER BY r.${of.key}`;
}

async function copyOut(tx: PoolClient, select: string): Promise<{ csv: Buffer; rows: number }> {
  const stream = tx.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT csv)`));
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { csv: Buffer.concat(chunks), rows: stream.rowCount };
}
