/** The content type of every CSV. */
export const CSV = 'text/csv; charset=utf-8';

// Spreadsheets take UTF-8 for something else without it.
const BYTE_ORDER_MARK = '\uFEFF';

/** The first line of a file: the names of its columns. */
export const csvHead = (columns: readonly string[]): string => BYTE_ORDER_MARK + csvLine(columns);

/** A row as a line; a column that it does not have is empty. */
export const csvRow = (columns: readonly string[], row: Readonly<Record<string, unknown>>): string =>
  csvLine(columns.map((column) => row[column]));

/** A spreadsheet would run what begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/**
 * A line of RFC 4180. A text that a spreadsheet would run is kept from it by an apostrophe, a number never is; what is no single value is
 * JSON.
 */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvField).join(',')}\r\n`;

function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
