/**
 * A payload to come, of a request that waits for something that is no work. Thousands may wait at once, so nothing is kept of the
 * way that such a request took but what goes on with it: whatever a payload is made within goes on `within` as well.
 */
export class HeldPayload {
  private readonly steps: Step[] = [];

  constructor(
    /** What is waited for; the request goes on when it settles, however. */
    readonly until: Promise<unknown>,
    private readonly goOn: Resume,
  ) {}

  /** The same, going on within a step from now on. */
  within(step: Step): this {
    this.steps.push(step);
    return this;
  }

  /** Goes on, once: returns the payload, or one that is held again. */
  resume(): Promise<unknown> {
    return this.steps.reduce<Resume>((inner, step) => () => step(inner), this.goOn)();
  }

  /** What comes of it in the end, for who waits on the way. */
  async settled(): Promise<unknown> {
    await this.until.catch(() => undefined);
    const payload = await this.resume();
    return payload instanceof HeldPayload ? payload.settled() : payload;
  }
}

type Resume = () => Promise<unknown>;
/** What a payload is made within. */
type Step = (resume: Resume) => Promise<unknown>;
