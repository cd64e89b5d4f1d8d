import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@reseller/errors';
import { createEdgeApp, type EdgeOptions } from './app';
import { hasBody, isShortBody, receiveBody } from './arriving-body';
import { arrivingFile } from './arriving-file';
import { dropPieces } from './body-pieces';
import { limitConnections } from './connection-limit';
import type { EdgeRoute } from './dispatcher';
import { errorEnvelope } from './error-envelope';
import { toErrorResponse } from './errors';
import { oneAtATime } from './one-at-a-time';
import { requestIdOf } from './request-id';
import { API_SECURITY_HEADERS } from './security-headers';

const HEADER_LIMIT_BYTES = 16 * 1024;
/** How long a refused connection is kept for its caller to read why. */
const LINGER_MS = 2_000;

/** An edge's HTTP server; also what never becomes a request gets an envelope. */
export function createEdgeServer<R extends EdgeRoute>(options: EdgeOptions<R>): Server {
  const { connections: limits, observer } = options;
  const app = createEdgeApp(options);
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    app.listener(request, response);
    if (!hasBody(request)) return;
    // One that is turned away has its response by now: what little it sends need not be gathered.
    if (response.writableEnded && isShortBody(request)) dropPieces(request);
    else takeBody(request);
  };
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: Math.min(limits.HEADERS_TIMEOUT_MS, limits.REQUEST_TIMEOUT_MS),
      requestTimeout: limits.REQUEST_TIMEOUT_MS,
      keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(5_000, limits.HEADERS_TIMEOUT_MS),
      // A read has no body to wait for: its stream is made ended. Node.js before 24.12 does not know the option and makes it as ever.
      optimizeEmptyRequests: true,
      // The response without it would be Node's own, without an envelope; nothing here depends on Host.
      requireHostHeader: false,
    },
    oneAtATime(respond, () => observer.connectionRefused('pipelining')),
  );
  server.maxConnections = limits.MAX_CONNECTIONS;
  server.on('drop', () => observer.connectionRefused('all'));
  limitConnections(server, {
    most: limits.MAX_CONNECTIONS_PER_ADDRESS,
    isProxy: (address) => app.trustsProxy(address),
    refused: () => observer.connectionRefused('address'),
  });
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
  const response = responseUnderWay(socket);
  // Bytes of a response may be out already; writing a second one between them would corrupt both.
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  if (response?.req.complete) {
    // What is wrong came behind a request that runs: a refusal would be taken for its response, though it may be done.
    response.setHeader('Connection', 'close');
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

/** The response that is next on a connection, if it is not sent in whole. */
function responseUnderWay(socket: Duplex): ServerResponse | undefined {
  return (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
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
  // Its caller need not close: half a connection would stay for ever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(
    `HTTP/1.1 ${refusal.status} ${refusal.status === 405 ? 'Method Not Allowed' : 'Bad Request'}\r\n${lines.join('')}\r\n${body}`,
  );
}

function takeBody(request: IncomingMessage): void {
  const file = arrivingFile(request);
  if (file) file.begin();
  else void receiveBody(request);
}
