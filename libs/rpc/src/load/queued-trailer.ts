import { Metadata, type ServerErrorResponse } from '@grpc/grpc-js';
import { queueDelay } from './queue-delay';

/** The trailer by which a service says with a response how long work stands in line there; absent while it does not. */
export const QUEUED_TRAILER = 'reseller-queued-ms';

/** Below it is no queue but the grain of timers. */
const WORTH_SAYING_MS = 5;

let said: { ms: number; trailer: Metadata } | undefined;

/** The trailer of a response that is sent now; shared by those of one moment, so not to be changed. */
export function queuedTrailer(): Metadata | undefined {
  const ms = Math.round(queueDelay.ms);
  if (ms < WORTH_SAYING_MS) return undefined;
  if (said?.ms !== ms) {
    const trailer = new Metadata();
    trailer.set(QUEUED_TRAILER, String(ms));
    said = { ms, trailer };
  }
  return said.trailer;
}

/** The same beside an error's own trailer. */
export function withQueued<S extends Partial<ServerErrorResponse>>(status: S): S {
  const ms = Math.round(queueDelay.ms);
  if (ms >= WORTH_SAYING_MS) status.metadata?.set(QUEUED_TRAILER, String(ms));
  return status;
}

/** What a response said, in milliseconds; undefined when it said nothing. */
export function queuedOf(metadata: Metadata): number | undefined {
  const [value] = metadata.get(QUEUED_TRAILER);
  const ms = typeof value === 'string' ? Number(value) : NaN;
  return Number.isFinite(ms) ? ms : undefined;
}
