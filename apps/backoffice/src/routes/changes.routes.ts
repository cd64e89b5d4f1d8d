import { StreamedPayload } from '@reseller/http-edge';
import type { ChangeWatch } from '../changes/change-watch';
import { defineRoute, type OpsRoute } from './route';

const EVENT_STREAM = 'text/event-stream';
/** Proxies end what is silent for long. */
const SILENCE_MS = 15_000;
/** Whoever was signed out or lost a role meanwhile learns of it at the next connection. */
const MOST_MS = 60_000;
/** How soon a browser connects again. */
const RETRY_MS = 1_000;

const watchChanges = defineRoute({
  method: 'GET',
  path: '/ops/v1/changes',
  role: 'viewer',
  summary:
    'Server-sent events that say what to read anew: `changed` with `{ topics }`, a few seconds after something of the kind has changed. It ends after a minute, and is to be opened again',
  produces: EVENT_STREAM,
  handle: ({ call, clients }) => StreamedPayload.open(eventsOf(clients.changes, call.signal), EVENT_STREAM),
});

async function* eventsOf(changes: ChangeWatch, signal?: AbortSignal): AsyncGenerator<string> {
  const listening = changes.listen();
  try {
    const until = performance.now() + MOST_MS;
    await listening.hasBegun;
    yield `retry: ${RETRY_MS}\n\n`;
    for (let leftMs = MOST_MS; leftMs > 0 && !signal?.aborted; leftMs = until - performance.now()) {
      const topics = await listening.next(Math.min(SILENCE_MS, leftMs), signal);
      if (changes.isClosed || signal?.aborted) return;
      yield topics.length > 0 ? `event: changed\ndata: ${JSON.stringify({ topics })}\n\n` : ': nothing\n\n';
    }
  } finally {
    listening.leave();
  }
}

/** What has changed, as it happens. */
export const changeRoutes: readonly OpsRoute[] = [watchChanges];
