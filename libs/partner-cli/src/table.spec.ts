import { expect, it } from '@jest/globals';
import { aligned } from './table.ts';

it('when rows are aligned, then columns stand below each other by characters, and no line ends in blanks', () => {
  const rows = [
    ['NAME', 'PRICE', 'STOCK'],
    ['عطر', '136 SAR', ''],
    ['Amber Ledger', '20 SAR', '3'],
  ];
  expect(aligned(rows).split('\n')).toEqual([
    'NAME          PRICE    STOCK',
    'عطر           136 SAR',
    'Amber Ledger  20 SAR   3',
  ]);
});
