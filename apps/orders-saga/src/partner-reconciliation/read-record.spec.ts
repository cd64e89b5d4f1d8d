import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import type { PartnerRecord } from './domain/partner-record';
import { readRecord } from './read-record';

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const read = (file: string | Buffer, pieces = 65_536): Promise<PartnerRecord> =>
  readRecord(inPieces(Buffer.from(file), pieces));

const rowsOf = (record: PartnerRecord): unknown[] =>
  Array.from({ length: record.length }, (_, place) => record.at(place))
    .sort((a, b) => a.row - b.row)
    .map(({ externalReference, amount, status }) => [externalReference, amount, status]);

/** What a file is refused for: path and message of each fault. */
async function faultsOf(file: string | Buffer): Promise<[string, string][]> {
  const error = await read(file).catch((thrown: unknown) => thrown);
  if (!isAppError(error)) throw new Error(`not refused: ${String(error)}`);
  expect(error.code).toBe('VALIDATION_FAILED');
  return (error.details['errors'] as { path: string; message: string }[]).map(({ path, message }) => [
    path,
    message,
  ]);
}
const pathsOf = async (file: string | Buffer): Promise<string[]> =>
  (await faultsOf(file)).map(([path]) => path);

const HEADER = 'externalReference,amount,status\n';
const TWO = [
  ['a', '10.00', 'Completed'],
  ['b', '0.50', null],
];

describe('reading a partner’s record (spec §17.4)', () => {
  it.each([
    ['as it is written mostly', 'externalReference,amount,status\na,10,Completed\nb,0.5,\n'],
    [
      'without a last line end',
      'externalReference,amount,status\na,10.0,Completed\nb,.5,'.replace(',.5', ',0.50'),
    ],
    ['with CRLF', 'externalReference,amount,status\r\na,10,Completed\r\nb,0.5,\r\n'],
    ['with a byte order mark', '\ufeffexternalReference,amount,status\na,10,Completed\nb,0.5,\n'],
    [
      'with columns in another order, and others',
      'note,status,amount,externalReference\n"x, y",Completed,10,a\n,,0.5,b\n',
    ],
    [
      'with quotation marks',
      '"externalReference","amount","status"\n"a","10.00","Completed"\nb,"00.50",""\n',
    ],
    ['with blank lines', '\n\nexternalReference,amount,status\n\na,10,Completed\n\nb,0.5,\n\n\r\n\n'],
  ])('when a file is %s, then its rows are the same, in pieces of any length', async (_how, file) => {
    for (const length of [1, 2, 7, 1_000]) expect(rowsOf(await read(file, length))).toEqual(TWO);
  });

  it('when a field holds a comma, a line end, quotation marks and letters of any length, then it is one text', async () => {
    const record = await read(`${HEADER}"a,\r\n""b"" 🌍ü",1,x\n`, 3);
    expect(rowsOf(record)).toEqual([['a,\r\n"b" 🌍ü', '1.00', 'x']]);
  });

  it('when there is a header and no row, then the record is empty', async () => {
    expect((await read(HEADER)).length).toBe(0);
  });

  it.each([
    ['is empty', '', ['rows.0']],
    ['has blank lines only', '\n\r\n', ['rows.0']],
    ['lacks columns', 'amount,note\n1,2\n', ['rows.0.externalReference', 'rows.0.status']],
    ['names a column twice', 'externalReference,amount,amount,status\na,1,1,x\n', ['rows.0.amount']],
    ['has a short row and a long one', `${HEADER}a,1\nb,2,x\nc,3,x,y\n`, ['rows.1', 'rows.3']],
    ['has no reference', `${HEADER},1,x\n`, ['rows.1.externalReference']],
    ['has a reference that is too long', `${HEADER}${'a'.repeat(129)},1,x\n`, ['rows.1.externalReference']],
    ['has a status that is too long', `${HEADER}a,1,${'x'.repeat(129)}\n`, ['rows.1.status']],
    [
      'has several faults in a row',
      `${HEADER}a,1,x\n,one,x\n`,
      ['rows.2.externalReference', 'rows.2.amount'],
    ],
    ['names a reference twice', `${HEADER}a,1,x\nb,1,x\na,2,y\n`, ['rows.3.externalReference']],
    ['leaves a quotation mark open', `${HEADER}a,1,x\n"b,2,x\nc,3,x\n`, ['rows.2']],
    ['has a quotation mark within a field', `${HEADER}a"b,1,x\n`, ['rows.1']],
    ['goes on behind a quotation mark', `${HEADER}"a"b,1,x\n`, ['rows.1']],
    ['has a zero byte', `${HEADER}a\0,1,x\n`, ['rows.1.externalReference']],
  ])('when a file %s, then it is refused there', async (_what, file, paths) => {
    expect(await pathsOf(file)).toEqual(paths);
  });

  it.each(['', 'one', '1.234', '1e3', '1,5', ' 1', '.5', '5.', '+1', '--1', '0x10', 'NaN', '12345678901234'])(
    'when an amount is “%s”, then it is none',
    async (amount) => {
      expect(await pathsOf(`${HEADER}a,"${amount}",x\n`)).toEqual(['rows.1.amount']);
    },
  );

  it('when amounts are spelled otherwise, then they are the same', async () => {
    const file = `${HEADER}a,007.10,x\nb,-0.00,x\nc,-3.5,x\nd,1234567890123.99,x\n`;
    expect(rowsOf(await read(file)).map((row) => (row as string[])[1])).toEqual([
      ...['7.10', '0.00', '-3.50', '1234567890123.99'],
    ]);
  });

  it('when bytes are no UTF-8, then the fault stands where they do', async () => {
    const broken = Buffer.concat([
      Buffer.from(`${HEADER}a,1,x\nb`),
      Buffer.from([0xff]),
      Buffer.from(',1,x\n'),
    ]);
    expect(await pathsOf(broken)).toEqual(['rows.2.externalReference']);
  });

  it('when there are more faults than an error lists, then the last entry says how many are left out', async () => {
    const faults = await faultsOf(HEADER + 'a,one,x\n'.repeat(60));
    expect(faults).toHaveLength(51);
    expect(faults[0]).toEqual([
      'rows.1.amount',
      'must be a decimal, at most 13 digits before the point and two after it',
    ]);
    // Each row but the first names its reference again.
    expect(faults.at(-1)).toEqual(['', `${60 + 59 - 50} more faults are left out; correct these first`]);
  });

  it('when there are more rows than may be, then that is said at rows, before all else', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, n) => `r${n},1,x\n`).join('');
    expect((await read(HEADER + rows(100_000), 65_536)).length).toBe(100_000);
    expect(await pathsOf(HEADER + rows(100_001))).toEqual(['rows']);
  });

  it('when the sender fails, then that is no fault of the file', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from(HEADER);
      throw new Error('gone');
    }
    await expect(readRecord(failing())).rejects.toThrow('gone');
  });
});
