import { describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { FailedAttempts } from './failed-attempts';

const failure = new AppError('UNAUTHORIZED_INVALID_TOKEN');

describe('failed attempts (spec §18.2)', () => {
  it('when twenty fell within 60 s, then the next is limited until the oldest is past, and only that address', () => {
    let now = 0;
    const attempts = new FailedAttempts(() => now);
    const record = (address = '192.0.2.1') => attempts.record({ address }, failure);
    for (let n = 0; n < 20; n += 1) {
      now = n * 1_000;
      expect(record()).toBe(failure);
    }
    expect(record()).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 41 } });
    expect(record('192.0.2.2')).toBe(failure);
    now = 59_999;
    expect(record()).toMatchObject({ details: { retryAfterSeconds: 1 } });
    now = 60_000;
    expect(record()).toBe(failure);
    expect(record()).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('when addresses are of one IPv6 network, then they count together', () => {
    const attempts = new FailedAttempts(() => 0);
    for (let n = 1; n <= 20; n += 1) attempts.record({ address: `2001:db8::${n}` }, failure);
    expect(attempts.record({ address: '2001:db8::ffff' }, failure)).toMatchObject({ code: 'RATE_LIMITED' });
    expect(attempts.record({ address: '2001:db8:0:1::1' }, failure)).toBe(failure);
  });
});
