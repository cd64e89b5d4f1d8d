import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Kinds of what is shown, as the stream of changes names them. */
export type Topic =
  | 'orders'
  | 'returnRequests'
  | 'approvals'
  | 'deadLetters'
  | 'webhookDeliveries'
  | 'partners'
  | 'differences';

const CHANGES = '/ops/v1/changes';
/** After the stream was refused, as by a backoffice of the version before. */
const AGAIN_MS = 30_000;
/** So long without the stream, what is shown is read by the clock again. */
const RECONNECT_MS = 5_000;

let isConnected = false;

/**
 * How what shows these kinds is kept up to date while it is looked at: by the stream of changes, and by the clock while there is none, as
 * often as given in milliseconds.
 */
export const liveBy = (everyMs: number, topics: readonly Topic[]) => ({
  refetchInterval: () => (isConnected ? false : everyMs),
  meta: { topics },
});

/** Those that are looked at and live; what was made to stand still stays so. */
const isShown = (query: Query): boolean =>
  query.observers.some(({ options }) => Boolean(options.refetchInterval) && options.enabled !== false);

const topicsOf = ({ meta }: Query): readonly Topic[] => (meta?.['topics'] ?? []) as readonly Topic[];

/** Has what is looked at read anew: what shows one of the kinds, or everything that is live. */
function readAnew(queryClient: QueryClient, changed?: readonly Topic[]): void {
  void queryClient.invalidateQueries({
    predicate: (query) =>
      isShown(query) && (changed ? topicsOf(query).some((topic) => changed.includes(topic)) : true),
    refetchType: 'active',
  });
}

/** Follows the stream of changes while the page is seen: a browser has few connections to one place, and a hidden page needs none. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => follow(queryClient), [queryClient]);
}

function follow(queryClient: QueryClient): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    isConnected = false;
  };
  /** Reading anew also has the clocks of what is shown start or stop. */
  const lose = (): void => {
    if (!isConnected) return;
    isConnected = false;
    readAnew(queryClient);
  };
  const open = (): void => {
    close();
    const opened = new EventSource(CHANGES);
    source = opened;
    opened.onopen = () => {
      clearTimeout(timer);
      isConnected = true;
      // What changed while there was no stream was not heard of, the first time neither: the page has read something before.
      readAnew(queryClient);
    };
    opened.onerror = () => {
      clearTimeout(timer);
      const isRefused = opened.readyState === EventSource.CLOSED;
      if (isRefused) lose();
      // One that has ended is opened again by the browser, within this time mostly.
      timer = isRefused ? setTimeout(open, AGAIN_MS) : setTimeout(lose, RECONNECT_MS);
    };
    opened.addEventListener('changed', ({ data }: MessageEvent<string>) =>
      readAnew(queryClient, (JSON.parse(data) as { topics: Topic[] }).topics),
    );
  };
  const onVisibility = (): void => (document.visibilityState === 'visible' ? open() : close());
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
