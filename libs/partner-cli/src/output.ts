import { spinner } from '@clack/prompts';
import { aligned } from './table.ts';

/** A column of a list: its heading, and its text for an item. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>;

/** As many are read in one request at most. */
const PAGE = 100;

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value);
};

/** Where a command writes: for a person, or with --json for a program. */
export class Output {
  constructor(
    readonly json: boolean,
    private readonly write: (text: string) => void = (text) => process.stdout.write(text),
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
    const read = async (say: (text: string) => void): Promise<boolean> => {
      let count = 0;
      for await (const item of items) {
        if (count === most) return true;
        count += 1;
        if (count % PAGE === 0) say(`${count} read`);
        if (this.json) this.write(`${JSON.stringify(item)}\n`);
        else rows.push(Object.values(columns).map((column) => textOf(column(item))));
      }
      return false;
    };
    const takesLong = most > PAGE && Symbol.asyncIterator in items;
    const areMore = takesLong ? await this.during('reading', read) : await read(() => undefined);
    if (this.json) return;
    this.write(rows.length > 1 ? `${aligned(rows)}\n` : 'There is nothing.\n');
    if (areMore) this.say('There are more: --limit takes a number, and --all lists them all.');
  }

  /** Runs what takes long, with something that moves where a person looks on. */
  async during<T>(text: string, work: (say: (text: string) => void) => Promise<T>): Promise<T> {
    if (this.json || !process.stderr.isTTY) return work(() => undefined);
    const shown = spinner({ output: process.stderr });
    shown.start(text);
    try {
      const result = await work((now) => shown.message(now));
      shown.stop(text);
      return result;
    } catch (error) {
      shown.error(text);
      throw error;
    }
  }
}
