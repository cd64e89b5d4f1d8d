import { describe, expect, it } from '@jest/globals';
import { contractBreaks, contractOf, sentenceOf } from '../src';

const error = (...codes: string[]): object => ({
  headers: { 'X-Request-Id': { required: true, schema: { type: 'string' } } },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, {}])),
    },
  },
});

const read = (operationId: string, errors: Record<string, object> = {}): object => ({
  operationId,
  responses: {
    200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Shelf' } } } },
    ...errors,
  },
});

function documentOf(paths: object, shelf: object = { properties: { size: { type: 'integer' } } }): object {
  const schemas = { Shelf: shelf, Error: { properties: { state: { type: 'string' } }, required: ['state'] } };
  return { openapi: '3.1.0', paths, components: { schemas } };
}

const breaks = (was: object, is: object): string[] =>
  contractBreaks(contractOf(was), contractOf(is)).map(sentenceOf);

describe('the comparison of two documents', () => {
  it('when several operations lose the same field, then it is said once, with some of them', () => {
    const paths = {
      '/a': { get: read('readA') },
      '/b': { get: read('readB') },
      '/c': { get: read('readC') },
    };
    expect(breaks(documentOf(paths), documentOf(paths, {}))).toEqual([
      'GET /a (readA), GET /b (readB) and 1 more, response 200, `size`: is not there any more. Keep it beside what replaces it.',
    ]);
  });

  it('when several operations are removed, then each is said', () => {
    const paths = { '/a': { get: read('readA') }, '/b': { get: read('readB') } };
    expect(breaks(documentOf(paths), documentOf({}))).toEqual([
      'GET /a (readA): is not there any more. Keep it.',
      'GET /b (readB): is not there any more. Keep it.',
    ]);
  });

  it('when all errors have one envelope, then a contract says it once and loses nothing', () => {
    const paths = { '/a': { get: read('readA', { 404: error('NOT_FOUND'), 409: error('TAKEN', 'BUSY') }) } };
    const contract = contractOf(documentOf(paths));
    expect(contract.operations['GET /a']?.responses).toMatchObject({
      404: { codes: ['NOT_FOUND'] },
      409: { codes: ['BUSY', 'TAKEN'] },
    });
    expect(contract.operations['GET /a']?.responses['404']).not.toHaveProperty('content');
    expect(contract.errors).toMatchObject({ content: { 'application/json': { $ref: 'Error' } } });

    const without = {
      '/a': {
        get: read('readA', { 404: error('NOT_FOUND'), 409: { ...error('TAKEN', 'BUSY'), headers: {} } }),
      },
    };
    expect(breaks(documentOf(paths), documentOf(without))).toEqual([
      'GET /a (readA), response 409 header X-Request-Id: is not there any more. Keep it beside what replaces it.',
    ]);
    expect(breaks(documentOf(without), documentOf(paths))).toEqual([]);
  });

  it('when a new code comes without a header that the others have, then nothing breaks, unless there is no new code', () => {
    const waiting = (required: boolean, ...codes: string[]): object => ({
      ...error(...codes),
      headers: { 'Retry-After': { required, schema: { type: 'integer' } } },
    });
    const before = documentOf({ '/a': { get: read('readA', { 409: waiting(true, 'BUSY') }) } });
    const more = documentOf({ '/a': { get: read('readA', { 409: waiting(false, 'BUSY', 'TAKEN') }) } });
    const less = documentOf({ '/a': { get: read('readA', { 409: waiting(false, 'BUSY') }) } });
    expect(breaks(before, more)).toEqual([]);
    expect(breaks(before, less)).toEqual([
      'GET /a (readA), response 409 header Retry-After: may be missing and was always there. Have it always there.',
    ]);
  });

  it('when parameters stand at the path or in components, then they are those of its operations', () => {
    const pageOf = (required: boolean): object => ({
      name: 'page',
      in: 'query',
      required,
      schema: { type: 'integer' },
    });
    const atPath = { '/a': { parameters: [pageOf(false)], get: read('readA') } };
    const inComponents = {
      ...documentOf({
        '/a': { get: { ...read('readA'), parameters: [{ $ref: '#/components/parameters/Page' }] } },
      }),
    } as { components: object };
    inComponents.components = { ...inComponents.components, parameters: { Page: pageOf(true) } };
    expect(breaks(documentOf(atPath), inComponents)).toEqual([
      'GET /a (readA), query page: has to be sent and could be left out. Let it be left out still.',
    ]);
  });

  it('when a body becomes required, or loses a media type, then both are said', () => {
    const withBody = (required: boolean, ...media: string[]): object =>
      documentOf({
        '/a': {
          post: {
            ...read('addA'),
            requestBody: {
              required,
              content: Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }])),
            },
          },
        },
      });
    expect(breaks(withBody(false, 'text/csv', 'text/plain'), withBody(true, 'text/csv'))).toEqual([
      'POST /a (addA), request body: has to be sent and could be left out. Let it be left out still.',
      'POST /a (addA), request body: is not text/plain any more. Keep the media type.',
    ]);
    expect(breaks(documentOf({ '/a': { post: read('addA') } }), withBody(true, 'text/csv'))).toEqual([
      'POST /a (addA), request body: is new and has to be sent. Let it be left out.',
    ]);
  });

  it('when an event is sent, then its payload may only be narrowed', () => {
    const withEvent = (schema: object): object => ({
      openapi: '3.1.0',
      webhooks: {
        'shelf.full': {
          post: {
            operationId: 'onShelfFull',
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: { '2XX': { description: 'Received.' } },
          },
        },
      },
    });
    const few = withEvent({ properties: { size: { type: 'integer', maximum: 5 } } });
    const many = withEvent({ properties: { size: { type: 'integer', maximum: 9 } } });
    expect(breaks(few, many)).toEqual([
      'webhook shelf.full, payload, `size`: had the maximum 5 and has 9. Keep the bound.',
    ]);
    expect(breaks(many, few)).toEqual([]);
  });

  it('when the document refers to nothing, then that is said', () => {
    const { components: _components, ...without } = documentOf({ '/a': { get: read('readA') } }) as Record<
      string,
      unknown
    >;
    const contract = contractOf(without);
    expect(() => contractBreaks(contract, contract)).toThrow(
      'a schema refers to Shelf, which the document does not have',
    );
    const paths = {
      '/a': { get: { ...read('readA'), parameters: [{ $ref: '#/components/parameters/Page' }] } },
    };
    expect(() => contractOf(documentOf(paths))).toThrow(
      'the document refers to #/components/parameters/Page',
    );
  });
});
