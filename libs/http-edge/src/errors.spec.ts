import { describe, expect, it } from '@jest/globals';
import { AppError, ERROR_CATALOGUE, type ErrorCode, type ErrorDetails } from '@reseller/errors';
import fc from 'fast-check';
import { errorEnvelope, LARGEST_ERROR_BYTES } from './error-envelope';
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

describe('errorEnvelope (spec §14.1)', () => {
  const read = (details: ErrorDetails) => {
    const { code, details: all } = toErrorResponse(
      new AppError('BUSINESS_INSUFFICIENT_STOCK', details),
      REQUEST_ID,
    );
    const text = errorEnvelope({ code, details: all });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LARGEST_ERROR_BYTES);
    return (JSON.parse(text) as { details: ErrorDetails }).details;
  };

  it('when details are large, then those that there is room for stay, whole', () => {
    const details = { sku: 'a', echo: 'x'.repeat(40_000), limit: 5 };
    expect(read(details)).toMatchObject({
      sku: 'a',
      limit: 5,
      requestId: REQUEST_ID,
      message: expect.any(String),
    });
    expect(read(details)).not.toHaveProperty('echo');
  });

  it('when a service names more faults than an error lists, then fifty are listed and the others counted', () => {
    const errors = Array.from({ length: 500 }, (_, index) => ({
      path: `scopedVariantIds.${index}`,
      message: 'm',
    }));
    expect(read({ errors })['errors']).toHaveLength(51);
  });

  it('when details are anything at all, then no envelope is larger than 32 KiB', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' });
    const fault = fc.record({ path: text, message: text });
    const details = fc.record({
      message: text,
      requestId: text,
      errors: fc.array(fault, { maxLength: 60 }),
      echo: text,
    });
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(ERROR_CATALOGUE) as ErrorCode[])), details, (code, all) => {
        const response = toErrorResponse(new AppError(code, all), REQUEST_ID);
        expect(Buffer.byteLength(errorEnvelope(response))).toBeLessThanOrEqual(LARGEST_ERROR_BYTES);
      }),
      { numRuns: 30 },
    );
  });
});
