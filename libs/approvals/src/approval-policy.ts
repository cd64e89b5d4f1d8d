import { decimal } from '@reseller/money';
import type { EnvironmentName } from '@reseller/rpc';
import { envInteger } from '@reseller/service-kit';
import { z } from 'zod';

const DAY_MS = 86_400_000;

/** The settings of a service with approvals; spread them into its z.object. */
export const approvalConfig = {
  /** Movements of more than this, in live, need a second operator; unset for none. */
  FOUR_EYES_ABOVE_SAR: z
    .string()
    .regex(/^\d{1,13}(\.\d{1,2})?$/)
    .describe('an amount of SAR with at most two decimals')
    .optional(),
  /** For how many milliseconds an approval can be decided. */
  APPROVAL_TTL_MS: envInteger({ min: 1, max: 365 * DAY_MS, unit: 'milliseconds' }).default(3 * DAY_MS),
};

/** The settings as a service has read them. */
export interface ApprovalSettings {
  readonly FOUR_EYES_ABOVE_SAR?: string | undefined;
  readonly APPROVAL_TTL_MS: number;
}

/** Whether a movement of this amount, of either sign, needs a second operator: in live, and of more than the limit (spec §18.3). */
export function needsApproval(
  { FOUR_EYES_ABOVE_SAR: limit }: ApprovalSettings,
  environment: EnvironmentName,
  amount: string,
): boolean {
  return limit !== undefined && environment === 'live' && decimal(amount).abs().greaterThan(decimal(limit));
}
