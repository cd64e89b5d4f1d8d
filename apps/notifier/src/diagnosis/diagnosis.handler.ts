import type { WebhookDiagnosis, WebhookDiagnosisServiceService } from '@reseller/contracts';
import { webhookCheckName, webhookCheckResult } from '@reseller/presenters';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { diagnoseWebhook, getDiagnosis, type DiagnosisDeps } from './diagnose-webhook';
import type { Diagnosis } from './domain/diagnosis';

/** Diagnoses as partners make and read them. */
export function createDiagnosisHandlers(
  deps: DiagnosisDeps,
): RpcHandlers<typeof WebhookDiagnosisServiceService> {
  return {
    async diagnoseWebhook({ subscriptionId }, call) {
      return { diagnosis: toMessage(await diagnoseWebhook(deps, partnerScopeOf(call), subscriptionId)) };
    },
    async getWebhookDiagnosis({ subscriptionId }, call) {
      return { diagnosis: toMessage(await getDiagnosis(deps, partnerScopeOf(call), subscriptionId)) };
    },
  };
}

const toMessage = ({ subscriptionId, startedAt, grade, checks }: Diagnosis): WebhookDiagnosis => ({
  subscriptionId,
  startedAt,
  grade: webhookCheckResult(grade),
  checks: checks.map(({ name, result, durationMs, message }) => ({
    name: webhookCheckName(name),
    result: webhookCheckResult(result),
    durationMs,
    message,
  })),
});
