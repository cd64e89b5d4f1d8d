import {
  WebhookCheckName as NameMessage,
  WebhookCheckResult as ResultMessage,
  type WebhookDiagnosis,
} from '@reseller/contracts';
import { findByName } from './order-names';
import { present, presentEnum, presentRequiredMoment } from './values';

/** What the checks of a diagnosis are about, in their order (spec §17.3). */
export const WEBHOOK_CHECK_NAMES = [
  'reachable',
  'certificate',
  'signed-accepted',
  'forged-rejected',
  'stale-rejected',
  'repeat-accepted',
  'unknown-type-accepted',
  'fast',
] as const;

/** The public name of a check. */
export type WebhookCheckName = (typeof WEBHOOK_CHECK_NAMES)[number];

/** What a whole diagnosis comes to, the best first. */
export const WEBHOOK_GRADES = ['Pass', 'Warn', 'Fail'] as const;

/** The public name of a grade. */
export type WebhookGrade = (typeof WEBHOOK_GRADES)[number];

/** What one check comes to. */
export const WEBHOOK_CHECK_RESULTS = [...WEBHOOK_GRADES, 'Skipped'] as const;

/** The public name of a check's result. */
export type WebhookCheckResult = (typeof WEBHOOK_CHECK_RESULTS)[number];

const NAMES: Partial<Record<NameMessage, WebhookCheckName>> = {
  [NameMessage.REACHABLE]: 'reachable',
  [NameMessage.CERTIFICATE]: 'certificate',
  [NameMessage.SIGNED_ACCEPTED]: 'signed-accepted',
  [NameMessage.FORGED_REJECTED]: 'forged-rejected',
  [NameMessage.STALE_REJECTED]: 'stale-rejected',
  [NameMessage.REPEAT_ACCEPTED]: 'repeat-accepted',
  [NameMessage.UNKNOWN_TYPE_ACCEPTED]: 'unknown-type-accepted',
  [NameMessage.FAST]: 'fast',
};

const GRADES: Partial<Record<ResultMessage, WebhookGrade>> = {
  [ResultMessage.PASS]: 'Pass',
  [ResultMessage.WARN]: 'Warn',
  [ResultMessage.FAIL]: 'Fail',
};

const RESULTS: Partial<Record<ResultMessage, WebhookCheckResult>> = {
  ...GRADES,
  [ResultMessage.SKIPPED]: 'Skipped',
};

/** The enum value of a check's name. */
export const webhookCheckName = (name: WebhookCheckName): NameMessage =>
  findByName(NAMES, name) ?? NameMessage.UNSPECIFIED;

/** The enum value of a check's result, or of a grade. */
export const webhookCheckResult = (name: WebhookCheckResult): ResultMessage =>
  findByName(RESULTS, name) ?? ResultMessage.UNSPECIFIED;

/** A diagnosis as partners read it. */
export function presentWebhookDiagnosis(message: WebhookDiagnosis | undefined) {
  const { subscriptionId, startedAt, grade, checks } = present(message, 'diagnosis');
  return {
    subscriptionId,
    startedAt: presentRequiredMoment(startedAt, 'started_at'),
    grade: presentEnum(GRADES, grade),
    checks: checks.map((check) => ({
      name: presentEnum(NAMES, check.name),
      result: presentEnum(RESULTS, check.result),
      durationMs: check.durationMs,
      message: check.message,
    })),
  };
}
