import type { CallContext } from '@reseller/rpc';
import type { Arrival } from './admission';
import type { Doors, WorkClass } from './doors';

/** What a place is taken for. */
interface PlaceOptions {
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

  /** Takes it again for what is left to do, with a deadline of its own. */
  async comeBack(): Promise<void> {
    const { call, deadlineMs } = this.options;
    call.deadlineAt = Date.now() + deadlineMs;
    await this.take(call.deadlineAt);
  }
}
