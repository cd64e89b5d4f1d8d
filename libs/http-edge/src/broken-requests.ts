import type { Server } from 'node:http';
import { ERROR_CATALOGUE, type ErrorCode } from '@reseller/errors';
import type { Socket } from 'node:net';
import { v4 as newUuid } from 'uuid';

const TOO_LARGE = new Set(['HPE_HEADER_OVERFLOW', 'ERR_HTTP_REQUEST_TOO_LARGE']);

/** Answers bytes that are no HTTP request in the envelope too, and closes their connection. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const state: ErrorCode = TOO_LARGE.has(error.code ?? '')
      ? 'VALIDATION_PAYLOAD_TOO_LARGE'
      : 'VALIDATION_FAILED';
    const requestId = newUuid();
    const message = 'This is not a well-formed HTTP request.';
    const details = {
      message,
      requestId,
      ...(state === 'VALIDATION_FAILED' ? { errors: [{ path: 'request', message }] } : {}),
    };
    const body = JSON.stringify({ state, payload: null, details });
    const head = [
      `HTTP/1.1 ${ERROR_CATALOGUE[state].status} Refused`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
