import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import { z } from 'zod';
import type { RawParams } from './match-route';
import { parseJsonObject } from './parse-json';
import { dateTimeField, whenGiven } from './fields';
import { compileValidator } from './validate';

const validate = compileValidator({
  params: z.object({ id: z.string().regex(/^\d+$/, 'must be digits') }),
  query: z.object({ page: z.string().optional(), kind: z.enum(['a', 'b']).optional() }),
  body: z.strictObject({
    name: z.string(),
    kind: z.enum(['a', 'b']),
    lines: z
      .array(z.strictObject({ quantity: z.number(), note: z.string().nullish() }))
      .max(100, 'must have at most 100 lines')
      .optional(),
  }),
});

function faultsOf(params: RawParams, search: string, body: Record<string, unknown>): unknown {
  try {
    validate(params, search, body);
  } catch (error) {
    if (isAppError(error)) return error.details['errors'];
    throw error;
  }
  return [];
}

const goodBody = { name: 'n', kind: 'a' };

describe('compileValidator', () => {
  it('when a request is right, then its values are returned without the query’s unknown parameters', () => {
    expect(validate({ id: '1' }, 'page=2&other=x', goodBody)).toEqual({
      params: { id: '1' },
      query: { page: '2' },
      body: goodBody,
    });
  });

  it('when a route declares no part, then nothing of it is looked at', () => {
    expect(compileValidator({})({ id: undefined }, 'a=%zz', { b: '\u0000' })).toEqual({
      params: {},
      query: {},
      body: {},
    });
  });

  it('when several parts are wrong, then each fault is there once, at its path, in words', () => {
    const body = { kind: 'c', lines: [{ quantity: '1', more: 2 }], extra: true };
    expect(faultsOf({ id: 'x\u0000' }, 'page=1&page=2&kind=z', body)).toEqual([
      { path: 'id', message: 'must not hold NUL characters or lone surrogates' },
      { path: 'page', message: 'must be given once only' },
      { path: 'kind', message: 'must be one of a, b' },
      { path: 'name', message: 'is required' },
      { path: 'lines.0.quantity', message: 'must be a JSON number' },
      { path: 'lines.0.more', message: 'is not a known field' },
      { path: 'extra', message: 'is not a known field' },
    ]);
  });

  it('when a field is missing whose words are its own, then it is required, as any other', () => {
    const whole = z.int({ error: whenGiven('must be a whole number from 1 to 5') });
    const check = compileValidator({
      body: z.strictObject({ kind: z.enum(['a']), at: dateTimeField, quantity: whole }),
    });
    const messagesOf = (body: Record<string, unknown>): string[] => {
      try {
        check({}, '', body);
      } catch (error) {
        if (!isAppError(error)) throw error;
        return (error.details['errors'] as { message: string }[]).map(({ message }) => message);
      }
      return [];
    };
    expect(messagesOf({})).toEqual(['is required', 'is required', 'is required']);
    expect(messagesOf({ kind: 'b', at: 'today', quantity: 1.5 })).toEqual([
      'must be one of a',
      'must be an ISO 8601 date-time with its offset',
      'must be a whole number from 1 to 5',
    ]);
  });

  it('when a number cannot be kept as it was written, then that is its fault, and not that it is none', () => {
    const body = parseJsonObject(Buffer.from('{"name":"n","lines":[{"quantity":9007199254740993}]}'));
    const message = 'is too large, or has more digits than a double keeps; send at most 15 digits';
    expect(faultsOf({ id: 'x' }, '', body)).toContainEqual({ path: 'lines.0.quantity', message });
  });

  it('when a route leaves a field’s text to its service, then it is handed on whatever it holds, and no other field’s', () => {
    const body = z.strictObject({ url: z.string(), name: z.string() });
    const lenient = compileValidator({ body, anyText: ['url'] });
    expect(lenient({}, '', { url: '\u0000\ud800', name: 'n' }).body).toEqual({
      url: '\u0000\ud800',
      name: 'n',
    });
    expect(() => lenient({}, '', { url: 'u', name: '\u0000' })).toThrow();
  });

  it('when a path parameter does not decode, then it is at fault, and the rest is named too', () => {
    expect(faultsOf({ id: undefined }, 'page=%ff', goodBody)).toEqual([
      { path: 'id', message: 'must be percent-encoded UTF-8' },
      { path: 'page', message: 'must be percent-encoded UTF-8' },
    ]);
  });

  it('when all faults share a code of their own, then it is returned; beside others it is one of the list', () => {
    const reason = z.string().refine((text) => text === 'x', {
      error: 'must be x',
      params: { errorCode: 'VALIDATION_INVALID_REASON_CODE' },
    });
    const check = compileValidator({
      body: z.strictObject({ reasons: z.array(reason).max(60), name: z.string() }),
    });
    const codeAndErrors = (body: Record<string, unknown>) => {
      try {
        check({}, '', body);
      } catch (error) {
        if (isAppError(error)) return [error.code, error.details['errors']];
        throw error;
      }
      return undefined;
    };
    const entry = { path: 'reasons.0', message: 'must be x' };
    expect(codeAndErrors({ reasons: ['y'], name: 'n' })).toEqual(['VALIDATION_INVALID_REASON_CODE', [entry]]);
    expect(codeAndErrors({ reasons: ['y'] })).toEqual([
      'VALIDATION_FAILED',
      [entry, { path: 'name', message: 'is required' }],
    ]);
  });

  it('when text inside a declared list cannot be stored, then its path is named', () => {
    const lines = [
      { quantity: 1, note: 'fine' },
      { quantity: 1, note: 'a\ud800' },
    ];
    expect(faultsOf({ id: '1' }, '', { ...goodBody, lines })).toEqual([
      { path: 'lines.1.note', message: 'must not hold NUL characters or lone surrogates' },
    ]);
  });
});

describe('a request with very many faults (spec §14.1)', () => {
  const errorsOf = (body: Record<string, unknown>) =>
    faultsOf({ id: '1' }, '', { ...goodBody, ...body }) as { path: string; message: string }[];
  const leftOut = (count: number) => ({
    path: '',
    message: `${count} more faults are left out; correct these first`,
  });

  it('when an undeclared field holds whatever, then it is one fault, and nothing in it is looked at', () => {
    let deep: unknown = 'a\ud800';
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    const texts = Array.from({ length: 5_400 }, () => '\u0000');
    expect(errorsOf({ ['k'.repeat(50_000)]: texts, deep, name: texts })).toEqual([
      { path: 'name', message: 'must be a string' },
      { path: `${'k'.repeat(199)}…`, message: 'is not a known field' },
      { path: 'deep', message: 'is not a known field' },
    ]);
  });

  it('when each line has two faults, then fifty are listed and the others counted', () => {
    const errors = errorsOf({ lines: Array.from({ length: 100 }, () => ({ note: '\u0000' })) });
    expect(errors).toHaveLength(51);
    expect(errors.at(-1)).toEqual(leftOut(150));
  });

  it('when fields are unknown by the thousand, then they are counted', () => {
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, index]));
    expect(errorsOf({ ...unknown, kind: 'c' }).at(-1)).toEqual(leftOut(19_951));
  });

  it('when a list is too long, then that is its one fault, whatever it holds', () => {
    const lines = Array.from({ length: 30_000 }, () => ({ note: '\u0000', quantity: 'x' }));
    expect(errorsOf({ lines })).toEqual([{ path: 'lines', message: 'must have at most 100 lines' }]);
  });

  it('when all of more than fifty faults share a code of their own, then it is returned', () => {
    const reason = z.string().refine((text) => text === 'x', {
      error: 'must be x',
      params: { errorCode: 'VALIDATION_INVALID_REASON_CODE' },
    });
    const check = compileValidator({ body: z.strictObject({ reasons: z.array(reason).max(60) }) });
    const thrownBy = (body: Record<string, unknown>): unknown => {
      try {
        return check({}, '', body);
      } catch (error) {
        return error;
      }
    };
    const reasons = Array.from({ length: 60 }, () => 'y');
    expect(thrownBy({ reasons })).toMatchObject({
      code: 'VALIDATION_INVALID_REASON_CODE',
      details: { errors: expect.arrayContaining([leftOut(10)]) },
    });
    expect(thrownBy({ reasons, more: 1 })).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('when a route declares a list or object without bounds, then it does not start', () => {
    const unbounded = [z.array(z.string()), z.record(z.string(), z.string()), z.looseObject({}), z.unknown()];
    for (const field of unbounded)
      expect(() => compileValidator({ body: z.strictObject({ field }) })).toThrow('field');
  });

  it('when a route’s body would take fields that it does not know, then it does not start', () => {
    const body = z.object({ notes: z.string() });
    expect(() => compileValidator({ body })).toThrow('the body of notes is not a strict object');
    expect(() => compileValidator({ body: body.strict() })).not.toThrow();
  });
});
