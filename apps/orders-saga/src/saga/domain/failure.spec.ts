import { describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode } from '@reseller/errors';
import { isLastingFailure, isToBeParked, parkingLimits, reasonOf, retryGap } from './failure';

const limits = parkingLimits({ SAGA_PARK_AFTER_MS: 90_000 });

describe('which failures count towards parking an order (spec §4.7)', () => {
  it.each<[what: string, error: unknown, counts: boolean]>([
    ['a service that is away', new AppError('SERVICE_UNAVAILABLE'), false],
    ['a service that limits its callers', new AppError('RATE_LIMITED'), false],
    ['a service that fails', new AppError('INTERNAL_ERROR'), true],
    ['a refusal where the plan has none', new AppError('NOT_FOUND_WALLET'), true],
    ['a request that a service does not understand', new AppError('VALIDATION_FAILED'), true],
    ['a fault in our code', new TypeError('x is undefined'), true],
    ['a constraint', Object.assign(new Error('violates'), { code: '23514' }), true],
    ['what is no error at all', undefined, true],
  ])('when it is %s, then it counts or not as it should', (_what, error, counts) => {
    expect(isLastingFailure(error)).toBe(counts);
  });

  it.each<[failures: number, failingForMs: number, isParked: boolean]>([
    [1, 0, false],
    [1, 3_600_000, false],
    [4, 3_600_000, false],
    [5, 89_999, false],
    [5, 90_000, true],
    [1_000, 89_999, false],
  ])('when a step failed %i times in %i ms, then it is parked: %s', (failures, failingForMs, isParked) => {
    expect(isToBeParked({ failures, failingForMs }, limits)).toBe(isParked);
  });

  it('when a step fails again and again, then its gaps double up to a cap, and it is parked soon after its time', () => {
    const gaps = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => retryGap({ failures }, limits));
    expect(gaps).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    const short = parkingLimits({ SAGA_PARK_AFTER_MS: 80 });
    expect([1, 2, 9].map((failures) => retryGap({ failures }, short))).toEqual([10, 20, 80 / 3]);
  });

  it('when an operator reads the reason, then it holds a code of the catalogue and nothing of the exception', () => {
    const secret = 'password=hunter2 at 10.0.0.1';
    const codes: ErrorCode[] = [];
    for (const error of [
      new Error(secret),
      new AppError('INTERNAL_ERROR', { hint: secret }, { cause: new Error(secret) }),
      new AppError('NOT_FOUND_WALLET', { hint: secret }),
    ]) {
      const { code, reason } = reasonOf(error);
      codes.push(code);
      expect(reason).not.toContain('hunter2');
    }
    expect(codes).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR', 'NOT_FOUND_WALLET']);
  });
});
