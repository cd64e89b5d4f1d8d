import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@reseller/errors';
import { createEdgeApp, type EdgeOptions } from './app';
import type { EdgeRoute } from './dispatcher';
import { errorEnvelope } from './error-envelope';
import { toErrorResponse } from './errors';
import { requestIdOf } from './request-id';
import { API_SECURITY_HEADERS } from './security-headers';

/** Longest for a request's headers, and for all of it; slower senders are answered and cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of usual load balancers, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const HEADER_LIMIT_BYTES = 16 * 1024;

/** An edge's HTTP server; also what never becomes a request for Express gets an envelope. */
export function createEdgeServer<R extends EdgeRoute>(options: EdgeOptions<R>): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 5_000,
      // The response without it would be Node's own, without an envelope; nothing here depends on Host.
      requireHostHeader: false,
    },
    createEdgeApp(options),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseUnparsed(error, socket));
  server.on('connect', (request, socket: Duplex) => {
    refuse(socket, new AppError('METHOD_NOT_ALLOWED'), requestIdOf(request.headers['x-request-id']), {
      Allow: 'GET, HEAD',
    });
  });
  // An expectation we do not know is no reason not to respond.
  server.on('checkExpectation', (request, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  return server;
}

/** A request that does not parse as HTTP, or takes too long to arrive. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasResponseUnderWay(socket)) {
    socket.destroy();
    return;
  }
  const message =
    UNPARSED_MESSAGES[error.code ?? ''] ??
    'The request is not well-formed HTTP; correct it and send it again.';
  refuse(socket, new AppError('VALIDATION_FAILED', { message, errors: [] }), requestIdOf(undefined));
}

const UNPARSED_MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The address and headers are larger than 16 KiB; send a smaller request.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive; send it again.',
};

/** Bytes of a response may be out already; writing a second one between them would corrupt both. */
function hasResponseUnderWay(socket: Duplex): boolean {
  const { _httpMessage: message } = socket as Duplex & { _httpMessage?: ServerResponse | null };
  return message?.headersSent === true;
}

function refuse(
  socket: Duplex,
  error: AppError,
  requestId: string,
  extra: Record<string, string> = {},
): void {
  const refusal = toErrorResponse(error, requestId);
  const body = errorEnvelope(refusal);
  const headers = {
    ...API_SECURITY_HEADERS,
    ...extra,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${refusal.status} ${refusal.status === 405 ? 'Method Not Allowed' : 'Bad Request'}\r\n${lines.join('')}\r\n${body}`,
  );
}
