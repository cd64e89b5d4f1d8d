import type { RequestHandler } from 'express';

function isWellFormed(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes a path segment with a broken percent escape as it stands, so that the request finds its route and is
 * checked in the usual order: what the segment is not, its parameter's own schema says.
 */
export const takeBrokenEscapesLiterally: RequestHandler = (request, _response, next) => {
  const [path = '', ...search] = request.url.split('?');
  const segments = path.split('/').map((one) => (isWellFormed(one) ? one : one.replaceAll('%', '%25')));
  request.url = [segments.join('/'), ...search].join('?');
  next();
};
