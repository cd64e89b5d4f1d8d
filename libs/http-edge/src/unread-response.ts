import type { ServerResponse } from 'node:http';

/** All of a response has to be read within so many times the time in which some of it has to be. */
const WHOLE = 2;

/**
 * Cuts off the caller of a finished response that does not fit on the way and is not read: nothing of it for `timeoutMs`, or
 * not all of it in twice that time (spec §14.1).
 */
export function cutOffWhenUnread(response: ServerResponse, timeoutMs: number): void {
  const { socket } = response;
  if (!socket || socket.destroyed || socket.writableLength === 0) return;
  // Node looks at whether bytes have left since; what comes after the response sets its own time.
  socket.setTimeout(timeoutMs);
  const whole = setTimeout(() => socket.destroy(), WHOLE * timeoutMs);
  whole.unref();
  response.once('close', () => clearTimeout(whole));
}
