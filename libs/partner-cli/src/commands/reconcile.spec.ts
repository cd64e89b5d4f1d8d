import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { textOf } from './reconcile.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'reconcile-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the file of a reconciliation', () => {
  it.each([
    ['UTF-8', Buffer.from('Zoë,25.00,Completed\n'), 'Zoë,25.00,Completed\n'],
    ['UTF-8 with its mark', Buffer.from('\uFEFFZoë'), 'Zoë'],
    ['Latin-1', Buffer.from('Zoë,25.00,Completed\n', 'latin1'), undefined],
  ])('when it is %s, then it is taken as it is or refused', (_name, bytes, text) => {
    const file = path.join(folder, 'orders.csv');
    writeFileSync(file, bytes);
    if (text === undefined) expect(() => textOf(file)).toThrow('is not UTF-8');
    else expect(textOf(file)).toBe(text);
  });
});
