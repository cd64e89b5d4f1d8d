import type { CheckRun, Difference } from '@reseller/contracts';
import { presentMoment, presentRequiredMoment } from '@reseller/presenters';

/** A difference with the service that found it. */
export function presentDifference(service: string, difference: Difference) {
  const { id, check, kind, subject, expected, found } = difference;
  return {
    id,
    service,
    check,
    kind,
    subject,
    expected,
    found,
    firstSeenAt: presentRequiredMoment(difference.firstSeenAt, 'first_seen_at'),
    lastSeenAt: presentRequiredMoment(difference.lastSeenAt, 'last_seen_at'),
    resolvedAt: presentMoment(difference.resolvedAt),
  };
}

/** What a run came to for one check of a service. */
export function presentCheckRun(service: string, run: CheckRun) {
  const { check, compared, isComplete, openDifferences, completedAt, failure } = run;
  return {
    service,
    check,
    compared,
    isComplete,
    openDifferences,
    lastCompletedAt: presentMoment(completedAt),
    failure: failure ?? null,
  };
}
