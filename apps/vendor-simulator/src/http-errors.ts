import type { Logger } from '@reseller/service-kit';
import type { ErrorRequestHandler } from 'express';

/** One thing wrong with a request, at `path`. */
export interface Fault {
  path: string;
  message: string;
}

/** What an error says beside its code. */
interface ErrorFields {
  faults?: Fault[];
  /** Said where it is certain: nothing is on record under the key, and this request will have no effect. */
  taken?: false;
}

/** A response of the contract's error table. */
export class VendorHttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: ErrorFields = {},
  ) {
    super(message);
  }
}

/** Turns whatever was thrown into the contract's error shape; what is unforeseen is logged and returned to nobody. */
export function sendError(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const known = error instanceof VendorHttpError ? error : fromBodyParser(error);
    if (known === undefined)
      log.error({ err: error, method: request.method, path: request.path }, 'unforeseen');
    const { status, code, message, more } =
      known ??
      new VendorHttpError(500, 'INTERNAL_ERROR', 'Something went wrong; ask again with the same key.');
    response.status(status).json({ error: { code, message, ...more } });
  };
}

function fromBodyParser(error: unknown): VendorHttpError | undefined {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large')
    return new VendorHttpError(413, 'PAYLOAD_TOO_LARGE', 'The body is over 16 KiB.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new VendorHttpError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as UTF-8, uncompressed or gzip.',
    );
  }
  // The rest of what the parser and the router themselves refuse: broken JSON, a broken %-escape, a cut-off body.
  if (status === 400) return new VendorHttpError(400, 'MALFORMED_JSON', 'The request cannot be read.');
  return undefined;
}
