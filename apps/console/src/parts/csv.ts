import type { Column } from './data-table';

/** A spreadsheet would run what begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** One field of RFC 4180; a text that a spreadsheet would run is kept from it by an apostrophe, a number never is. */
export function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of RFC 4180, one for each row. */
export const csvLines = <T>(columns: readonly Column<T>[], rows: readonly T[]): string =>
  rows
    .map((row) => `${columns.flatMap(({ text }) => (text ? [csvField(text(row))] : [])).join(',')}\r\n`)
    .join('');

/** The first line: what the API calls each field, the same in every language. */
export const csvHead = <T>(columns: readonly Column<T>[]): string =>
  `${columns
    .filter(({ text }) => text)
    .map(({ id }) => csvField(id))
    .join(',')}\r\n`;
