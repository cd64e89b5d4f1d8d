import {
  AppError,
  listFaults,
  MOST_FAULTS,
  validationFailed,
  type ErrorCode,
  type FieldFault,
} from '@reseller/errors';
import type { z } from 'zod';

/** A fault of a request; `code` is returned instead of VALIDATION_FAILED when the request has no other kind of fault. */
interface RequestFault extends FieldFault {
  readonly code?: ErrorCode | undefined;
}

/**
 * The faults of a request, the first of each path, since what follows from it would only confuse. As many are kept as an
 * error lists; the others are counted (spec §14.1).
 */
export class RequestFaults {
  private readonly kept: FieldFault[] = [];
  private readonly paths = new Set<string>();
  private leftOut = 0;
  /** The code that all faults have in common so far. */
  private sharedCode: ErrorCode | undefined;

  add({ path, message, code }: RequestFault): void {
    if (this.paths.has(path)) return;
    this.sharedCode = this.paths.size === 0 || code === this.sharedCode ? code : undefined;
    // At most one path for each declared place of the request.
    this.paths.add(path);
    if (this.kept.length < MOST_FAULTS) this.kept.push({ path, message });
    else this.leftOut += 1;
  }

  /**
   * Adds what a schema found; unknown fields are faults at their own path. A refinement gives its fault a code of its own by
   * `params: { errorCode }`.
   */
  addIssues(issues: readonly z.core.$ZodIssue[]): void {
    for (const issue of issues) {
      if (issue.code === 'unrecognized_keys') this.addUnknownFields(issue.path, issue.keys);
      else {
        const code =
          issue.code === 'custom' ? (issue.params?.['errorCode'] as ErrorCode | undefined) : undefined;
        this.add({ path: issue.path.join('.'), message: issue.message, code });
      }
    }
  }

  /** Throws VALIDATION_FAILED, or the code that all faults share, when there are any (spec §1.2). */
  end(): void {
    const [first] = this.kept;
    if (!first) return;
    if (this.sharedCode === undefined) throw validationFailed(this.kept, this.leftOut);
    throw new AppError(this.sharedCode, {
      errors: listFaults(this.kept, this.leftOut).map((fault) => ({ ...fault })),
    });
  }

  // A caller can send thousands of them: those that are not listed are counted and not made.
  private addUnknownFields(path: readonly PropertyKey[], keys: readonly string[]): void {
    const room = Math.max(0, MOST_FAULTS - this.kept.length);
    for (const key of keys.slice(0, room))
      this.add({ path: [...path, key].join('.'), message: 'is not a known field' });
    if (keys.length <= room) return;
    this.leftOut += keys.length - room;
    this.sharedCode = undefined;
  }
}
