/**
 * A payload to come, of a request that waits for something that is no work. Thousands may wait at once, so nothing is kept of the
 * way that such a request took but what goes on with it: whatever a payload is made within goes on `within` as well.
 */
export class HeldPayload {
  constructor(
    /** What is waited for; the request goes on when it settles, however. */
    readonly until: Promise<unknown>,
    /** Goes on, once: returns the payload, or one that is held again. */
    readonly resume: () => Promise<unknown>,
  ) {}

  /** The same, going on within a step. */
  within(step: (resume: () => Promise<unknown>) => Promise<unknown>): HeldPayload {
    return new HeldPayload(this.until, () => step(this.resume));
  }

  /** What comes of it in the end, for who waits on the way. */
  async settled(): Promise<unknown> {
    await this.until.catch(() => undefined);
    const payload = await this.resume();
    return payload instanceof HeldPayload ? payload.settled() : payload;
  }
}
