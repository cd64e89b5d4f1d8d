import { describe, expect, it } from '@jest/globals';
import { readCursor, writeCursor, type FeedOwner } from './cursor';

const owner: FeedOwner = { partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10', environment: 'sandbox' };
const position = 1_768_471_200_123_456n;

describe('a cursor of the events feed', () => {
  it('when it is read by its own partner and environment, then it is the position; by another it is none (spec §16.1)', () => {
    const cursor = writeCursor(owner, position);
    expect(readCursor(owner, cursor)).toBe(position);
    expect(readCursor({ ...owner, environment: 'live' }, cursor)).toBeUndefined();
    expect(
      readCursor({ ...owner, partnerId: owner.partnerId.replace('019a', '019b') }, cursor),
    ).toBeUndefined();
  });

  it('when any of its characters is another, or one is missing or too many, then it is none', () => {
    const cursor = writeCursor(owner, position);
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(readCursor(owner, cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeUndefined();
    }
    for (const text of [
      '',
      'x',
      cursor.slice(1),
      `${cursor}A`,
      ` ${cursor}`,
      `${cursor}=`,
      cursor.toLowerCase(),
    ])
      expect(readCursor(owner, text)).toBeUndefined();
  });
});
