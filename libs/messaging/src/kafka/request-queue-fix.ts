import { createRequire } from 'node:module';

/** What is used of kafkajs 2.2.4's queue of requests on one connection. */
interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

const whilePendingMs = 10;

/**
 * Lets an idle connection of kafkajs be idle. As it comes, each sets a timer of minus the present time for ever, so one
 * that fires every millisecond, and Node.js 24 warns of the negative time (its issue 1751). Here a timer is set only when
 * a request waits for a throttle to end or for others to be answered.
 */
export function letConnectionsBeIdle(): void {
  const { prototype } = createRequire(__filename)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue;
  };
  if (typeof prototype.scheduleCheckPendingRequests !== 'function')
    throw new Error('kafkajs is not the version whose queue of requests is mended');
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : whilePendingMs,
    );
  };
}
