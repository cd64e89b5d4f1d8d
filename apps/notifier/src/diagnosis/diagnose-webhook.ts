import { AppError } from '@reseller/errors';
import type { WebhookGrade } from '@reseller/presenters';
import type { PartnerScope } from '@reseller/rpc';
import { randomUUID } from 'node:crypto';
import type { CheckTarget, WebhookSender } from '../delivery/webhook-sender';
import { getSubscriptionTarget } from '../subscription/get-subscription';
import type { OpenSecret } from '../subscription/remember-secrets';
import type { SubscriptionRepository } from '../subscription/subscription.repository';
import type { DiagnosisRepository } from './diagnosis.repository';
import { gradeOf, type Check, type Diagnosis } from './domain/diagnosis';
import { judgeReceiver, judgeUnreachable } from './domain/judge-receiver';
import { probeReceiver, type ProbeTarget } from './probe-receiver';
import { reachReceiver } from './reach-receiver';

/** What diagnosing needs. */
export interface DiagnosisDeps {
  subscriptions: SubscriptionRepository;
  diagnoses: DiagnosisRepository;
  sender: Pick<WebhookSender, 'send'>;
  checkTarget: CheckTarget;
  openSecret: OpenSecret;
  /** Is called with the grade of each diagnosis that ended. */
  countGrade?: (grade: WebhookGrade) => void;
}

/** Connecting takes 7 s at most and the requests 22, of the 30 s of spec §17.3; the lease outlives them by what recording may take. */
const REACH_MS = 7_000;
const LEASE_MS = 33_000;

/**
 * Tries the receiver of the scope's own subscription out, paused or not, and keeps what came of it; one at a time over all instances, else
 * RATE_LIMITED. Should this process die, the next one can begin once the lease is over.
 */
export async function diagnoseWebhook(
  deps: DiagnosisDeps,
  scope: PartnerScope,
  subscriptionId: string,
): Promise<Diagnosis> {
  const { diagnoses } = deps;
  const { url, sealed } = await getSubscriptionTarget(deps, scope, subscriptionId);
  const token = randomUUID();
  const claim = await diagnoses.claim(subscriptionId, token, LEASE_MS);
  if (claim.outcome === 'gone') throw new AppError('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
  if (claim.outcome === 'taken')
    throw new AppError('RATE_LIMITED', { retryAfterSeconds: claim.retryAfterSeconds });
  try {
    const secret = deps.openSecret(subscriptionId, sealed);
    const checks = await tryOut(deps, { url, secret, partnerId: scope.partnerId });
    const diagnosis = { subscriptionId, startedAt: claim.startedAt, grade: gradeOf(checks), checks };
    deps.countGrade?.(diagnosis.grade);
    // Where the lease was lost a later one has begun, and is what is kept; where the subscription is gone there is nothing to keep.
    if (!(await diagnoses.finish(diagnosis, token))) await getSubscriptionTarget(deps, scope, subscriptionId);
    return diagnosis;
  } catch (error) {
    await diagnoses.free(subscriptionId, token).catch(() => undefined);
    throw error;
  }
}

async function tryOut({ sender, checkTarget }: DiagnosisDeps, target: ProbeTarget): Promise<Check[]> {
  const reach = await reachReceiver(target.url, { checkTarget, timeoutMs: REACH_MS });
  if (reach.outcome !== 'reached') return judgeUnreachable(reach);
  const probes = await probeReceiver((request) => sender.send(request), target);
  return judgeReceiver(reach, probes, new Date());
}

/** The last diagnosis of the scope's own subscription; NOT_FOUND_WEBHOOK_DIAGNOSIS when none has ended yet. */
export async function getDiagnosis(
  { subscriptions, diagnoses }: Pick<DiagnosisDeps, 'subscriptions' | 'diagnoses'>,
  scope: PartnerScope,
  subscriptionId: string,
): Promise<Diagnosis> {
  await getSubscriptionTarget({ subscriptions }, scope, subscriptionId);
  const diagnosis = await diagnoses.findLast(subscriptionId);
  if (!diagnosis) throw new AppError('NOT_FOUND_WEBHOOK_DIAGNOSIS');
  return diagnosis;
}
