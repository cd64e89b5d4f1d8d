import type { WebhookCheckName, WebhookCheckResult, WebhookGrade } from '@reseller/presenters';

/** One thing that was tried, and what came of it. */
export interface Check {
  readonly name: WebhookCheckName;
  readonly result: WebhookCheckResult;
  /** Whole milliseconds; 0 when it was skipped. */
  readonly durationMs: number;
  /** For a person: what was sent, what came, and what to do. */
  readonly message: string;
}

/** What came of trying a receiver out (spec §17.3). */
export interface Diagnosis {
  readonly subscriptionId: string;
  readonly startedAt: Date;
  readonly grade: WebhookGrade;
  readonly checks: readonly Check[];
}

/** The worst result of the checks that were not skipped. */
export function gradeOf(checks: readonly Check[]): WebhookGrade {
  const has = (result: WebhookCheckResult): boolean => checks.some((check) => check.result === result);
  if (has('Fail')) return 'Fail';
  return has('Warn') ? 'Warn' : 'Pass';
}
