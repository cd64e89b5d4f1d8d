/**
 * The event bus does not take one of these events and never will, for what they are: too large, or not storable. What publishes
 * several finds out which by publishing fewer.
 */
export class EventRefusedError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'EventRefusedError';
  }
}
