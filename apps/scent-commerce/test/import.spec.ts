import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CatalogFileError } from '../src/import/catalog-file';
import { settleCatalog } from '../src/import/catalog-import.repository';
import { importCatalog, type ImportOptions } from '../src/import/import-catalog';
import { MIGRATIONS } from './scent-database';

const EXAMPLE = path.join(__dirname, '../data/example-catalog.csv');
const HEAD = 'brand,scent,gender,concentration,sku,sizeMl,warehouse,listPrice,cost,rrp,stockOnHand,isActive';
const line = (sku: string, more: Partial<Record<'price' | 'stock' | 'brand' | 'size', string>> = {}) =>
  [
    more.brand ?? 'Maison A',
    'Scent "1", the first'.replace(/^.*$/, (name) => `"${name.replaceAll('"', '""')}"`),
    'Unisex',
    'Eau de Parfum',
    sku,
    more.size ?? '50',
    'W-1',
    more.price ?? '100',
    '40.5',
    '',
    more.stock ?? '7',
    '',
  ].join(',');

let database: TestDatabase;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterEach(() => database.drop());

const importText = (text: string, options: Partial<ImportOptions> = {}, name = 'catalog.csv') => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return importFile({ file, ...options });
};
const importFile = (options: Partial<ImportOptions> & { file: string }) =>
  importCatalog(database.servicePool, { dryRun: false, allOrNothing: false, now: new Date(), ...options });
const rowsOf = async (sql: string) => (await database.pool.query<Record<string, unknown>>(sql)).rows;
const stockOf = async (sku: string) =>
  (await rowsOf(`SELECT * FROM stocked_variants WHERE sku = '${sku}' AND environment = 'live'`))[0];

describe('the example catalog', () => {
  it('when it has come in, then lists that count it read no row of it', async () => {
    await importFile({ file: EXAMPLE });
    // Tests commit without waiting for the disk, and what is not there yet does not count as visible to all.
    await eventually(async () => {
      await settleCatalog(database.pool);
      const pages = await rowsOf(`
        SELECT relname AS name, relpages > 0 AS "hasPages", relallvisible = relpages AS "allVisible" FROM pg_class
        WHERE relname IN ('stock_levels', 'variants') ORDER BY 1`);
      expect(pages).toEqual([
        { name: 'stock_levels', hasPages: true, allVisible: true },
        { name: 'variants', hasPages: true, allVisible: true },
      ]);
    });
  });

  it('when it is imported twice, then all that the platform promises is in it once and the second run changes nothing', async () => {
    const first = await importFile({ file: EXAMPLE, allOrNothing: true });
    expect(first).toMatchObject({ rows: 120, created: 120, badRows: 0, isWritten: true });
    const second = await importFile({ file: EXAMPLE });
    expect(second).toMatchObject({ rows: 120, created: 0, updated: 0, unchanged: 120, badRows: 0 });
    const [counts] = await rowsOf(`
      SELECT (SELECT count(*) FROM brands)::int AS brands, (SELECT count(*) FROM scents)::int AS scents,
        (SELECT count(*) FROM warehouses)::int AS warehouses, (SELECT active_variants FROM catalog_sizes) AS variants,
        (SELECT count(*) FROM brands WHERE commission_rate IS NOT NULL)::int AS "brandRates",
        count(*) FILTER (WHERE on_hand >= 1000) >= 10 AS stocked, count(*) FILTER (WHERE is_sample) > 0 AS samples,
        count(*) FILTER (WHERE availability = 'Limited') > 0 AS limited,
        count(*) FILTER (WHERE availability = 'Unavailable') > 0 AS unavailable,
        count(*) FILTER (WHERE tax_classification = 'ZERO') > 0 AS zero,
        count(*) FILTER (WHERE rrp > catalog_price * 1.05) > 0 AS "highRrp",
        count(*) FILTER (WHERE lowered_at > now() - interval '30 days') > 0 AS lowered,
        count(*) FILTER (WHERE first_offered_at > now() - interval '30 days') > 0 AS fresh,
        count(*) FILTER (WHERE restocked_at IS NOT NULL)::int AS restocked
      FROM stocked_variants WHERE environment = 'live'`);
    expect(counts).toEqual({
      brands: 4,
      scents: 30,
      warehouses: 2,
      variants: 120,
      brandRates: 1,
      stocked: true,
      samples: true,
      limited: true,
      unavailable: true,
      zero: true,
      highRrp: true,
      lowered: true,
      fresh: true,
      restocked: 0,
    });
  });
});

describe('an import', () => {
  it('when rows are bad, then each is reported by row, column and what to do, and the good ones are in', async () => {
    const text = [
      HEAD,
      line('A-1'),
      line('', { price: '1,5', size: 'big' }),
      line('A-2'),
      line('A-1'),
      'too,short',
    ].join('\n');
    const report = await importText(text);
    expect(report).toMatchObject({ rows: 5, created: 2, badRows: 3, isWritten: true });
    expect(report.faults.map(({ row, column }) => [row, column])).toEqual([
      [3, 'row'],
      [5, 'sku'],
      [6, 'row'],
    ]);
    expect(report.faults[0]?.message).toContain('13 cells');
    const again = await importText([HEAD, line('', { price: '-1', size: 'big' })].join('\n'));
    expect(again.faults).toEqual([
      { row: 2, column: 'sku', message: 'is empty; every variant needs it' },
      { row: 2, column: 'sizeMl', message: 'is "big"; write a whole number from 1 to 100000' },
      { row: 2, column: 'listPrice', message: expect.stringContaining('like 289.50') },
    ]);
    expect(await stockOf('A-1')).toMatchObject({
      scent_name: 'Scent "1", the first',
      on_hand: 7,
      cost: '40.50',
    });
  });

  it('when one row is bad and it is all or nothing, or a dry run, then nothing is written', async () => {
    const good = [HEAD, line('A-1')].join('\n');
    for (const options of [{ allOrNothing: true }, { dryRun: true }]) {
      const report = await importText(`${good}\n${line('A-2', { price: 'x' })}`, options);
      expect(report).toMatchObject({ rows: 2, badRows: 1, created: 0, isWritten: false });
    }
    expect(await importText(good, { dryRun: true })).toMatchObject({ badRows: 0, isWritten: false });
    expect(await rowsOf('SELECT 1 FROM brands')).toEqual([]);
  });

  it('when a row is known, then it is changed, empty cells leave what is there, and a lowered price is remembered', async () => {
    await importText([HEAD, line('A-1'), line('A-2')].join('\n'));
    await database.pool.query(`UPDATE variants SET rrp = 150, is_active = false WHERE sku = 'A-1'`);
    const report = await importText([HEAD, line('A-1', { price: '80', stock: '' }), line('A-2')].join('\n'));
    expect(report).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    expect(await stockOf('A-1')).toMatchObject({
      catalog_price: '80.00',
      lowered_from: '100.00',
      rrp: '150.00',
      is_active: false,
      on_hand: 7,
    });
    expect(await rowsOf('SELECT old_price, new_price FROM price_changes')).toEqual([
      { old_price: '100.00', new_price: '80.00' },
    ]);
  });

  it('when stock comes back from nothing, then that is a restocking, and less than is reserved is refused', async () => {
    await importText([HEAD, line('A-1', { stock: '0' }), line('A-2', { stock: '9' })].join('\n'));
    await database.pool.query(`UPDATE stock_levels SET reserved = 6 WHERE sku = 'A-2'`);
    const both = [HEAD, line('A-1', { stock: '3' }), line('A-2', { stock: '5' })].join('\n');
    const report = await importText(both);
    expect(report).toMatchObject({
      updated: 1,
      unchanged: 1,
      badRows: 1,
      faults: [{ row: 3, column: 'stockOnHand' }],
      isWritten: true,
    });
    expect(report.faults[0]?.message).toContain('6 units');
    expect(await stockOf('A-1')).toMatchObject({ on_hand: 3, restocked_at: expect.any(Date) });
    expect(await stockOf('A-2')).toMatchObject({ on_hand: 9, restocked_at: null });
    await database.pool.query(`UPDATE stock_levels SET on_hand = 0 WHERE sku = 'A-1'`);
    expect(await importText(both, { allOrNothing: true })).toMatchObject({ badRows: 1, isWritten: false });
    expect(await stockOf('A-1')).toMatchObject({ on_hand: 0 });
  });

  it('when the file is JSON, then its rows come in the same, numbers and lists as they are', async () => {
    const item = {
      brand: 'B',
      scent: 'S',
      notes: ['oud', 'amber'],
      gender: 'Men',
      concentration: 'Extrait de Parfum',
      sku: 'J-1',
      sizeMl: 30,
      warehouse: 'W',
      listPrice: 99.5,
      cost: 10,
      rrp: null,
      isSample: true,
      stockOnHand: 4,
    };
    const array = await importText(
      JSON.stringify([item, { ...item, sku: 'J-2', colour: 'red' }, 7]),
      {},
      'c.json',
    );
    expect(array).toMatchObject({ created: 1, badRows: 2 });
    expect(array.faults.map(({ row, message }) => [row, message])).toEqual([
      [2, 'has colour, which no catalog has; remove it'],
      [3, 'is no JSON object'],
    ]);
    const lines = await importText(
      `${JSON.stringify({ ...item, sku: 'J-3' })}\n\n{nonsense\n${JSON.stringify({ ...item, sku: 'J-4', firstOfferedAt: '2026-02-31' })}\n`,
      {},
      'c.jsonl',
    );
    const faults = [
      { row: 3, column: 'row' },
      { row: 4, column: 'firstOfferedAt' },
    ];
    expect(lines).toMatchObject({ created: 1, faults });
    expect(await stockOf('J-1')).toMatchObject({ catalog_price: '99.50', is_sample: true, on_hand: 4 });
    expect(await rowsOf('SELECT notes FROM scents')).toEqual([{ notes: ['oud', 'amber'] }]);
  });

  it.each([
    ['an unknown column', 'c.csv', `${HEAD},colour\n`, 'not known: colour'],
    ['a missing column', 'c.csv', 'brand,scent\n', 'missing: gender, concentration'],
    ['no line at all', 'c.csv', '', 'is empty'],
    ['a quote that never ends', 'c.csv', `${HEAD}\n"open,\n`, 'no CSV from line'],
    ['no array', 'c.json', '{}', 'must hold an array'],
    ['another kind', 'c.xlsx', '', 'neither .csv'],
  ])('when the file has %s, then it is refused with what to do', async (_what, name, text, message) => {
    const refused = importText(text, {}, name);
    await expect(refused).rejects.toThrow(CatalogFileError);
    await expect(refused).rejects.toThrow(message);
  });

  it('when it is no CSV from some line on, then nothing of what stands before is written', async () => {
    const rows = Array.from({ length: 1_200 }, (_, n) => line(`A-${n}`));
    const refused = importText([HEAD, ...rows, '"open,'].join('\n'));
    await expect(refused).rejects.toThrow(CatalogFileError);
    expect(await rowsOf('SELECT count(*)::int AS count FROM variants')).toEqual([{ count: 0 }]);
  });

  it('when a folder stands in its place, then it is refused as what cannot be read', async () => {
    for (const kind of ['csv', 'jsonl', 'json']) {
      const file = path.join(folder, `folder.${kind}`);
      mkdirSync(file);
      await expect(importFile({ file })).rejects.toThrow(CatalogFileError);
    }
  });
});
