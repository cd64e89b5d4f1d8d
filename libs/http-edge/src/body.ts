import { AppError } from '@reseller/errors';
import express, { type Request, type RequestHandler, type Response } from 'express';

const parseJson = express.json({ limit: 100 * 1024, strict: true, type: () => true });

function hasBody(request: Request): boolean {
  const length = request.get('content-length');
  return request.get('transfer-encoding') !== undefined || (length !== undefined && length !== '0');
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the body as one JSON object of at most 100 KiB; an empty one counts as {} (decisions §1.5, §1.9). */
export function readBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return Promise.resolve({});
  if (!request.is('application/json')) {
    return Promise.reject(new AppError('VALIDATION_UNSUPPORTED_MEDIA_TYPE'));
  }
  return new Promise((resolve, reject) => {
    const done: Parameters<RequestHandler>[2] = (error?: unknown) => {
      if (error) return reject(error as Error);
      const body: unknown = request.body ?? {};
      return isPlainObject(body) ? resolve(body) : reject(new AppError('VALIDATION_MALFORMED_JSON'));
    };
    void parseJson(request, response, done);
  });
}
