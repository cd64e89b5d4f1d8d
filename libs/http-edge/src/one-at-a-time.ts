import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './arriving-body';
import { holdPieces } from './body-pieces';

/** How many requests may wait behind one that is being served: of one connection, and of all together. */
const MOST_WAITING = 100;
const MOST_WAITING_IN_ALL = 5_000;

interface Line {
  isBusy: boolean;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Serves the requests of a connection one after the other, so that a caller who sends many and reads none has no more than
 * one response kept for it, and of their bodies what one read brings (spec §14.1). A connection with too many waiting is closed;
 * `refused` is called for each.
 */
export function oneAtATime(listener: RequestListener, refused: () => void): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  let waitingInAll = 0;

  const start = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isBusy = true;
    // Not `once`, which would keep three objects more for each request that waits.
    const close = (): void => {
      response.off('close', close);
      end(line);
    };
    response.on('close', close);
    listener(request, response);
  };
  const end = (line: Line): void => {
    if (line.waiting.length === 0) line.isBusy = false;
    // After what other connections have sent meanwhile: a hundred responses in a row would be one long turn of the event loop.
    else setImmediate(startNext, line);
  };
  const startNext = (line: Line): void => {
    line.isBusy = false;
    const [next] = line.waiting.splice(0, 1);
    if (!next) return;
    waitingInAll -= 1;
    const [request, response] = next;
    // Of a connection that has been ended none is started: nobody would get its response.
    if (request.socket.writable) start(line, request, response);
    else {
      waitingInAll -= line.waiting.length;
      line.waiting.length = 0;
    }
  };

  return (request, response) => {
    const { socket } = request;
    if (!socket.writable) return;
    let line = lines.get(socket);
    if (!line) lines.set(socket, (line = { isBusy: false, waiting: [] }));
    if (!line.isBusy) start(line, request, response);
    else if (line.waiting.length < MOST_WAITING && waitingInAll < MOST_WAITING_IN_ALL) {
      if (hasBody(request)) holdPieces(request);
      line.waiting.push([request, response]);
      waitingInAll += 1;
    } else {
      refused();
      socket.destroy();
    }
  };
}
