import { CHANGE_DEADLINE_MS, StreamedPayload, type RouteInput } from '@reseller/http-edge';
import { z } from 'zod';
import type { Clients } from '../clients';
import { CSV, csvHead, csvRow } from './csv';
import { defineRoute, type OpsRoute } from './route';

/** As many as a list returns at once. */
const PAGE_SIZE = 100;
/** Rows that come meanwhile move those behind them to later pages: so many of the last ones are not shown twice. */
const REMEMBERED = 10 * PAGE_SIZE;

type Input = RouteInput<Clients, z.ZodObject, z.ZodObject, z.ZodObject>;

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly pagination: { readonly totalPages: number };
}

/** What a list's CSV differs in from any other's. */
interface CsvOptions {
  /** The row of the list; its fields are the columns. */
  readonly row: z.ZodObject;
  /** The field by which rows differ. */
  readonly key: string;
  /** Reads a page where the list's own handle does more than that. */
  readonly readPage?: (input: Input) => Promise<unknown>;
  /** What is done once, before the first page is read. */
  readonly before?: (input: Input) => Promise<void>;
}

/**
 * Declares `<list>/export`: the rows that fit the list's filters as CSV, newest first as there, read page by page while they are sent, in
 * bounded memory. Rows that come after its begin are left out where the list has a `toDate`, and are in it at most once everywhere.
 */
export function csvOf(list: OpsRoute, { row, key, readPage = list.handle, before }: CsvOptions): OpsRoute {
  const { page: _page, pageSize: _pageSize, ...filters } = list.query?.shape ?? {};
  const name = list.path.split('/').at(-1) ?? 'list';
  return defineRoute({
    method: 'GET',
    path: `${list.path}/export`,
    role: list.role,
    summary: `${list.summary}; all pages as CSV`,
    ...(list.params && { params: list.params }),
    query: z.object(filters),
    examples: list.examples && { params: list.examples.params, query: list.examples.query },
    deadlineMs: CHANGE_DEADLINE_MS,
    produces: CSV,
    async handle(input) {
      await before?.(input);
      const bounded = 'toDate' in filters ? { toDate: new Date(), ...given(input.query) } : input.query;
      const lines = csvLines(
        { ...input, query: bounded },
        { columns: Object.keys(row.shape), key, readPage },
      );
      return StreamedPayload.open(lines, CSV, `${name}.csv`);
    },
  });
}

const given = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

async function* csvLines(
  input: Input,
  { columns, key, readPage }: Required<Pick<CsvOptions, 'key' | 'readPage'>> & { columns: string[] },
): AsyncGenerator<string> {
  const seen = new Set<unknown>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    // Each page but the first has a deadline of its own.
    const deadlineAt = page === 1 ? input.call.deadlineAt : Date.now() + CHANGE_DEADLINE_MS;
    // A page that was older than the one before it would leave out the rows between them.
    const call = { ...input.call, deadlineAt, acceptsStale: false };
    const query = { ...input.query, page, pageSize: PAGE_SIZE };
    const { items, pagination } = (await readPage({ ...input, query, call })) as Page;
    const rows = items.filter((item) => !seen.has(item[key]));
    for (const item of rows) seen.add(item[key]);
    for (const old of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(old);
    }
    const head = page === 1 ? csvHead(columns) : '';
    yield head + rows.map((item) => csvRow(columns, item)).join('');
    pages = pagination.totalPages;
  }
}
