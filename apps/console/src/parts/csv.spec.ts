import { expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvHead, csvLines } from './csv';

const columns = ['id', 'note'].map((id, index) => ({
  ...{ id, title: id, cell: () => null },
  text: (row: readonly string[]) => row[index] ?? '',
}));

it('when any texts are written as CSV, then a reader of RFC 4180 finds them again, formulas kept from running', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (rows) => {
      const read = parse(csvHead(columns) + csvLines(columns, rows), { record_delimiter: '\r\n' });
      const kept = rows.map((row) => row.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)));
      expect(read).toEqual([['id', 'note'], ...kept]);
    }),
  );
});
