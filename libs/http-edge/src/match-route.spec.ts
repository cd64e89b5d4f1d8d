import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RouteMatcher } from './match-route';
import { splitTarget } from './request-target';

const route = (method: string, path: string) => ({ method, path });
const matcher = new RouteMatcher([
  route('GET', '/v1/orders/{id}'),
  route('GET', '/v1/orders/newest'),
  route('GET', '/v1/orders'),
  route('POST', '/v1/orders'),
  route('DELETE', '/v1/orders/{id}/lines/{line}'),
]);

/** The route's path and parameters, or what is returned instead. */
function found(method: string, path: string): unknown {
  const match = matcher.find(method, path);
  if (match.kind === 'route') return [match.route.path, match.params];
  return match.kind === 'method' ? match.allow : match.kind;
}

describe('RouteMatcher', () => {
  it.each<[string, string, unknown]>([
    ['GET', '/v1/orders', ['/v1/orders', {}]],
    ['HEAD', '/v1/orders', ['/v1/orders', {}]],
    ['GET', '/v1/orders/newest', ['/v1/orders/newest', {}]],
    ['GET', '/v1/orders/a%20b', ['/v1/orders/{id}', { id: 'a b' }]],
    ['GET', '/v1/orders/%6Eewest', ['/v1/orders/newest', {}]],
    ['GET', '/v1/orders/%zz', ['/v1/orders/{id}', { id: undefined }]],
    ['DELETE', '/v1/orders/newest/lines/2', ['/v1/orders/{id}/lines/{line}', { id: 'newest', line: '2' }]],
    ['PUT', '/v1/orders', 'GET, HEAD, POST'],
    ['GET', '/v1/orders/1/lines/2', 'DELETE'],
    ['GET', '/v1/orders/', 'none'],
    ['GET', '/v1/Orders', 'none'],
    ['GET', '/v1', 'none'],
    ['OPTIONS', '*', 'none'],
  ])('when %s %s is looked up, then what fits is found', (method, path, expected) => {
    expect(found(method, path)).toEqual(expected);
  });

  it('when anything at all is looked up, then nothing is thrown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (method, target) => {
        expect(typeof matcher.find(method, splitTarget(`/v1/orders/${target}`).path).kind).toBe('string');
        expect(typeof matcher.find(method, splitTarget(target).path).kind).toBe('string');
      }),
    );
  });

  it('when a table has a route twice or a parameter under two names, then it is refused at start', () => {
    const twice = [route('GET', '/a'), route('GET', '/a')];
    expect(() => new RouteMatcher(twice)).toThrow('GET /a is in the table twice');
    const names = [route('GET', '/a/{id}'), route('GET', '/a/{key}/b')];
    expect(() => new RouteMatcher(names)).toThrow('{key} is called {id} by another route');
  });
});
