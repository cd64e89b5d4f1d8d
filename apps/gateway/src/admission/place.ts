import type { CallContext } from '@reseller/rpc';
import type { Arrival } from './admission';
import type { Doors, WorkClass } from './doors';

/** What a place is taken for. */
export interface PlaceOptions {
  readonly doors: Doors;
  readonly work: WorkClass;
  /** What the request's work goes by; its deadline is that of the work that is done in the place. */
  readonly call: CallContext;
  readonly deadlineMs: number;
  arrivalAt(deadlineAt: number): Arrival;
}

/** A request's place behind the door of its work (docs/adr/0019). */
export class Place {
  private isHeld = false;

  constructor(private readonly options: PlaceOptions) {}

  /** Takes it, at once (undefined) or in its turn; throws or rejects with SERVICE_UNAVAILABLE (spec §14.2). */
  take(deadlineAt: number): Promise<void> | undefined {
    const { doors, work, arrivalAt } = this.options;
    const turn = doors.enter(work, arrivalAt(deadlineAt));
    if (turn)
      return turn.then(() => {
        this.isHeld = true;
      });
    this.isHeld = true;
    return undefined;
  }

  /** Gives it up, once. */
  leave(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.options.doors.leave(this.options.work, this.options.call);
  }

  /**
   * Gives it up while the request waits for something that is no work, and takes it again, with a deadline of its own, when the wait
   * says that there is more to do.
   */
  async stepAside(wait: () => Promise<boolean>): Promise<boolean> {
    const { call, deadlineMs } = this.options;
    this.leave();
    if (!(await wait())) return false;
    call.deadlineAt = Date.now() + deadlineMs;
    await this.take(call.deadlineAt);
    return true;
  }
}
