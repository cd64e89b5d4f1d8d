import { progress, spinner } from '@clack/prompts';
import type { Writable } from 'node:stream';
import { aligned } from './table.ts';

/** A column of a list: its heading, and its text for an item. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>;

/** As many are read in one request at most. */
const PAGE = 100;

/** Receives how much is done, in all. */
export type Progress = (done: number) => void;

/** What of a long piece of work is shown: how much there is, where that is known, and how a number of it reads. */
interface ProgressOptions {
  readonly total?: number | undefined;
  readonly textOf?: (count: number) => string;
}

/** How many things are in a list of the API, which its first page says; undefined for any other list. */
async function totalOf(items: unknown): Promise<number | undefined> {
  const page = (await items) as { pagination?: { totalCount?: number } };
  return page.pagination?.totalCount;
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value);
};

/** Where a command writes: for a person, or with --json for a program. */
export class Output {
  constructor(
    readonly json: boolean,
    private readonly write: (text: string) => void = (text) => process.stdout.write(text),
    private readonly screen: Writable & { isTTY?: boolean } = process.stderr,
  ) {}

  /** A line for a person; a program does not see it. */
  say(text = ''): void {
    if (!this.json) this.write(`${text}\n`);
  }

  /** One thing: its fields below each other, or as JSON. */
  record(value: object, fields: Readonly<Record<string, unknown>> = { ...value }): void {
    if (this.json) this.write(`${JSON.stringify(value, null, 2)}\n`);
    else this.write(`${aligned(Object.entries(fields).map(([name, field]) => [name, textOf(field)]))}\n`);
  }

  /** One of many things as they come: a line for a person, or a line of JSON. */
  line(value: unknown, text: string): void {
    this.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Up to `most` things as a table, or each as a line of JSON. Says how to see more when there are more. */
  async list<Item>(
    items: AsyncIterable<Item> | Iterable<Item>,
    columns: Columns<Item>,
    most: number,
  ): Promise<void> {
    const rows = [Object.keys(columns)];
    const read = async (progress: Progress): Promise<boolean> => {
      let count = 0;
      for await (const item of items) {
        if (count === most) return true;
        count += 1;
        if (count % PAGE === 0) progress(count);
        if (this.json) this.write(`${JSON.stringify(item)}\n`);
        else rows.push(Object.values(columns).map((column) => textOf(column(item))));
      }
      return false;
    };
    const total = Math.min(most, (await totalOf(items)) ?? most);
    const areMore =
      total > PAGE ? await this.during('reading', read, { total }) : await read(() => undefined);
    if (this.json) return;
    this.write(rows.length > 1 ? `${aligned(rows)}\n` : 'There is nothing.\n');
    if (areMore) this.say('There are more: --limit takes a number, and --all lists them all.');
  }

  /** Runs what takes long, where a person looks on with a bar of what is done, or what is done where nobody knows of how much. */
  async during<T>(
    text: string,
    work: (progress: Progress) => Promise<T>,
    { total = Infinity, textOf = String }: ProgressOptions = {},
  ): Promise<T> {
    if (this.json || !this.screen.isTTY) return work(() => undefined);
    const shown = Number.isFinite(total) ? this.bar(text, total, textOf) : this.count(text, textOf);
    try {
      const result = await work(shown.progress);
      shown.stop(text);
      return result;
    } catch (error) {
      shown.error(text);
      throw error;
    }
  }

  private count(text: string, textOf: (count: number) => string) {
    const shown = spinner({ output: this.screen });
    shown.start(text);
    return { ...shown, progress: (done: number) => shown.message(`${text}: ${textOf(done)}`) };
  }

  private bar(text: string, max: number, textOf: (count: number) => string) {
    const shown = progress({ output: this.screen, max });
    shown.start(text);
    let before = 0;
    const advance = (done: number): void => {
      shown.advance(done - before, `${text}: ${textOf(done)} of ${textOf(max)}`);
      before = done;
    };
    return { ...shown, progress: advance };
  }
}
