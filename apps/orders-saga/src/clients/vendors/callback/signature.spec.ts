import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { isSignedBy } from './signature';

const SECRET = 'a-secret-for-callbacks';
const NOW = 1_800_000_000_000;
const body = Buffer.from('{"idempotencyKey":"TU-1"}');
const sign = (time: number, bytes = body, secret = SECRET): string =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(bytes).digest('hex')}`;
const seconds = NOW / 1_000;

describe('a callback’s signature', () => {
  it('when it is over these bytes, by this secret and of these minutes, then it holds', () => {
    for (const off of [0, -300, 300]) expect(isSignedBy(SECRET, sign(seconds + off), body, NOW)).toBe(true);
  });

  it.each([
    ['of another body', sign(seconds, Buffer.from('{"idempotencyKey":"TU-2"}'))],
    ['by another secret', sign(seconds, body, 'another')],
    ['too old', sign(seconds - 301)],
    ['from the future', sign(seconds + 301)],
    ['moved to another time', sign(seconds - 1).replace(/^t=\d+/, `t=${seconds}`)],
    ['cut off', sign(seconds).slice(0, -1)],
    ['missing', ''],
    ['of no digest', `t=${seconds},v1=`],
    ['in capitals', sign(seconds).replace(/v1=.*/, (digest) => digest.toUpperCase())],
  ])('when it is %s, then it does not', (_, header) => {
    expect(isSignedBy(SECRET, header, body, NOW)).toBe(false);
  });
});
