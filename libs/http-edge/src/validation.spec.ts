import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import { z } from 'zod';
import { parseRequest } from './validation';

const shape = {
  params: z.object({ id: z.string().regex(/^\d+$/, 'must be digits') }),
  query: z.object({ page: z.string().optional() }),
  body: z.strictObject({
    name: z.string(),
    kind: z.enum(['a', 'b']),
    lines: z.array(z.strictObject({ quantity: z.number() })).optional(),
  }),
};

function faultsOf(request: { params: unknown; query: unknown; body: unknown }): unknown {
  try {
    parseRequest(shape, request);
  } catch (error) {
    if (isAppError(error)) return error.details['errors'];
    throw error;
  }
  return [];
}

describe('parseRequest', () => {
  it('when a request is right, then its values are answered', () => {
    const request = { params: { id: '1' }, query: { page: '2', other: 'x' }, body: { name: 'n', kind: 'a' } };
    expect(parseRequest(shape, request)).toEqual({ ...request, query: { page: '2' } });
  });

  it('when several parts are wrong, then each fault is there once, at its path, in words', () => {
    const body = { kind: 'c', lines: [{ quantity: '1', more: 2 }], extra: true };
    expect(faultsOf({ params: { id: 'x\u0000' }, query: { page: ['1', '2'] }, body })).toEqual([
      { path: 'id', message: 'must not hold NUL characters or lone surrogates' },
      { path: 'page', message: 'must be a string' },
      { path: 'name', message: 'is required' },
      { path: 'kind', message: 'must be one of a, b' },
      { path: 'lines.0.quantity', message: 'must be a JSON number' },
      { path: 'lines.0.more', message: 'is not a field of this request' },
      { path: 'extra', message: 'is not a field of this request' },
    ]);
  });

  it('when a text deep inside cannot be stored, then its path is told, however deep', () => {
    let deep: unknown = 'a\ud800';
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    expect(
      faultsOf({ params: { id: '1' }, query: {}, body: { name: 'n', kind: 'a', extra: deep } }),
    ).toHaveLength(2);
  });
});
