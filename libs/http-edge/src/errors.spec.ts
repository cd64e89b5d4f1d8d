import { describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { toErrorResponse } from './errors';

const REQUEST_ID = 'r-1';

describe('toErrorResponse', () => {
  it.each<[string, AppError, Record<string, string>]>([
    ['says how long', new AppError('RATE_LIMITED', { retryAfterSeconds: 12.2 }), { 'Retry-After': '13' }],
    [
      'says less than a second',
      new AppError('RATE_LIMITED', { retryAfterSeconds: 0 }),
      { 'Retry-After': '1' },
    ],
    ['is away', new AppError('SERVICE_UNAVAILABLE'), { 'Retry-After': '2' }],
    ['runs still', new AppError('CONFLICT_ORDER_IN_PROGRESS', { orderId: 'o' }), { 'Retry-After': '1' }],
    ['knows nobody', new AppError('UNAUTHORIZED_INVALID_TOKEN'), { 'WWW-Authenticate': 'Bearer' }],
    ['has no such thing', new AppError('NOT_FOUND_ORDER'), {}],
  ])('when a service %s, then the headers say it and the details do not', (_case, error, headers) => {
    const refusal = toErrorResponse(error, REQUEST_ID);
    expect(refusal.headers).toEqual(headers);
    expect(refusal.details).toMatchObject({ requestId: REQUEST_ID, message: error.message });
    expect(refusal.details).not.toHaveProperty('retryAfterSeconds');
  });

  it('when details name another request id, then this request’s stands', () => {
    const error = new AppError('NOT_FOUND_ORDER', { requestId: 'theirs', orderId: 'o-1' });
    expect(toErrorResponse(error, REQUEST_ID).details).toMatchObject({
      requestId: REQUEST_ID,
      orderId: 'o-1',
    });
  });

  it('when something else was thrown, then it is INTERNAL_ERROR and shows nothing of it', () => {
    for (const thrown of [new Error('secret host db-7'), 'secret', undefined, { code: 'NOT_FOUND_ORDER' }]) {
      const refusal = toErrorResponse(thrown, REQUEST_ID);
      expect([refusal.status, refusal.code]).toEqual([500, 'INTERNAL_ERROR']);
      expect(JSON.stringify(refusal)).not.toContain('secret');
    }
  });
});
