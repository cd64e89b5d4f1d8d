import { isAppError } from '@reseller/errors';
import { READ_DEADLINE_MS } from '@reseller/http-edge';

/** How long what a page can do without is waited for, so that the rest is shown in time when its service hangs. */
export const BESIDE = { deadlineMs: READ_DEADLINE_MS / 2 };

/** What a page shows without, since its service is away. */
export class Absences<Name extends string> {
  private readonly names = new Set<Name>();

  /** What is read, or undefined while its service is away; whatever else fails is thrown. */
  async unlessAway<T>(name: Name, reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (!isAppError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      this.names.add(name);
      return undefined;
    }
  }

  /** `missing` of a response, where anything is. */
  shown(): { missing?: Name[] } {
    return this.names.size > 0 ? { missing: [...this.names] } : {};
  }
}
