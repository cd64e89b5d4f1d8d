import type { DecimalForm } from './decimals.ts';
import { isResellerError, ResellerConnectionError } from './errors.ts';
import type { Methods } from './generated/methods.ts';
import type { CallOptions, InputOf, OutputOf, Schema } from './operation.ts';
import { waitBeforeRetry } from './retry.ts';
import { sleep } from './time.ts';

/** Where a reader of the feed keeps how far it has read. */
export interface CursorStore {
  /** The cursor saved last; undefined to begin with the oldest event. */
  load(): Promise<string | undefined> | string | undefined;
  save(cursor: string): Promise<void> | void;
}

/** How the feed is followed. */
export interface FollowOptions<Type extends string = string> extends Pick<CallOptions, 'signal'> {
  /** Where the cursor is kept; without one, reading begins with `after` each time. */
  cursor?: CursorStore;
  /** Where to begin when nothing is saved; the oldest event unless given. */
  after?: string;
  /** Only these types; a list, or text with commas between. */
  eventType?: Type | readonly Type[];
  /** Ends once there is nothing more, instead of waiting for it. */
  untilCaughtUp?: boolean;
}

/** The events of some types; all where they are not named one by one. */
export type EventOf<Type extends string, Form extends DecimalForm> = [
  Extract<Schema<'Event', Form>, { eventType: Type }>,
] extends [never]
  ? Schema<'Event', Form>
  : Extract<Schema<'Event', Form>, { eventType: Type }>;

/** The longest that the API holds a request back for an event, in seconds. */
const WAIT_SECONDS = 20;
const PAGE = 100;

/** How long a reader rests before it asks for the same page again; undefined when it must not. */
function restAfter(error: unknown, failures: number): number | undefined {
  if (isResellerError(error)) return waitBeforeRetry(error, 'always', failures);
  return error instanceof ResellerConnectionError ? waitBeforeRetry({}, 'always', failures) : undefined;
}

/**
 * Every event, oldest first, from the cursor on and then as they happen. The cursor is saved once the loop has come back for
 * the event after the last of a page, so that an event is given again, and never lost, when the loop ends inside one:
 * deduplicate by eventId. Once a page has come, an outage does not end it, however long: only a refusal or the signal does.
 */
export async function* followEvents<Form extends DecimalForm, Type extends string>(
  { listEvents }: Pick<Methods<Form>, 'listEvents'>,
  { cursor, after, eventType, untilCaughtUp, signal }: FollowOptions<Type>,
): AsyncGenerator<EventOf<Type, Form>, void, undefined> {
  let from = (await cursor?.load()) ?? after;
  const type = eventType && [eventType].flat().join(',');
  let hasRead = false;
  let failures = 0;
  for (;;) {
    const input = {
      limit: PAGE,
      ...(from && { after: from }),
      ...(type && { eventType: type }),
      ...(!untilCaughtUp && { wait: WAIT_SECONDS }),
    } as InputOf<'listEvents'>;
    let page: OutputOf<'listEvents', Form>;
    try {
      page = await listEvents(input, signal ? { signal } : {});
    } catch (error) {
      const restMs = hasRead && !untilCaughtUp ? restAfter(error, (failures += 1)) : undefined;
      if (restMs === undefined) throw error;
      await sleep(restMs, signal);
      continue;
    }
    [hasRead, failures] = [true, 0];
    const { items, nextCursor, hasMore } = page;
    // The API sends no other types than were requested.
    yield* items as unknown as EventOf<Type, Form>[];
    if (nextCursor !== from) await cursor?.save(nextCursor);
    from = nextCursor;
    if (untilCaughtUp && !hasMore) return;
  }
}
