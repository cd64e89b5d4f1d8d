import { AppError } from '@reseller/errors';
import { OverloadError } from '@reseller/http-edge';

/** How many files are in memory at once, of one caller and of all; each has up to 10 MiB. */
const MOST_OF_ONE = 3;
const MOST = 8;
const RETRY_AFTER_SECONDS = 1;

/** Bounds what files take of this process's memory. */
export class FilePlaces {
  private readonly held = new Map<string, number>();
  private all = 0;

  /** Does the work that has a file in memory; RATE_LIMITED for a caller with three, SERVICE_UNAVAILABLE when there are eight. */
  async hold<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.held.get(caller) ?? 0;
    if (own >= MOST_OF_ONE) throw new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    if (this.all >= MOST) throw new OverloadError(RETRY_AFTER_SECONDS);
    this.held.set(caller, own + 1);
    this.all += 1;
    try {
      return await work();
    } finally {
      this.all -= 1;
      const left = (this.held.get(caller) ?? 1) - 1;
      if (left > 0) this.held.set(caller, left);
      else this.held.delete(caller);
    }
  }
}
