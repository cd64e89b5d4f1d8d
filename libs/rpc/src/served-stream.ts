import type { handleClientStreamingCall, ServerReadableStream } from '@grpc/grpc-js';
import { AppError } from '@reseller/errors';
import type { ServeCall } from './served-call';

/** Serves a call whose request is a stream of messages as any other: its handler is given the stream. */
export const streamHandler =
  (serve: ServeCall): handleClientStreamingCall<unknown, unknown> =>
  (stream, callback) =>
    serve(Object.assign(stream, { request: messagesOf(stream) }), callback);

/**
 * The messages as they come, no faster than they are taken; SERVICE_UNAVAILABLE when the connection breaks before the last. A caller that
 * gives up closes its side first, as one does that is done: where half must not be taken for the whole, a message says how much there is.
 */
async function* messagesOf(stream: ServerReadableStream<unknown, unknown>): AsyncGenerator<unknown> {
  const gone = new Promise<never>((_resolve, reject) => {
    stream.once('cancelled', () => reject(new AppError('SERVICE_UNAVAILABLE')));
  });
  gone.catch(() => undefined);
  // Who takes no more of them still has its response to send.
  const messages = stream.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await Promise.race([messages.next(), gone]);
    if (next.done) return;
    yield next.value;
  }
}
