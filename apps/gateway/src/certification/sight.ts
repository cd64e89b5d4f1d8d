import type { CertificationStep, EvidenceType } from '@reseller/contracts';
import { SightingKind } from '@reseller/contracts';
import type { ErrorCode } from '@reseller/errors';

/** What came of a request to a route. */
export interface Outcome {
  readonly params: Record<string, unknown>;
  /** As it was presented; undefined where it was refused. */
  readonly payload?: unknown;
  readonly refusal?: ErrorCode | undefined;
  readonly requestId: string;
  /** It made what it responds with, and is no repetition of another one. */
  readonly isNew: boolean;
  /** Everything was done, and the caller never hears of it. */
  readonly isLost: boolean;
}

/** A part of a certification that an outcome shows. */
export interface Sight {
  readonly step: CertificationStep;
  readonly kind: SightingKind;
  /** The same in both halves of a step. */
  readonly subject: string;
  readonly type: EvidenceType;
  readonly id: string;
}

/** What an outcome shows of a certification (spec §17.6). */
export type Shows = (outcome: Outcome) => readonly Sight[];

/** The half of a step, or all of it, that is about one thing. */
export const sight = (
  step: CertificationStep,
  kind: SightingKind,
  type: EvidenceType,
  id: string,
): Sight => ({ step, kind, subject: id, type, id });

/** Success shows the step, whatever the payload; its evidence is the `id` of the path. */
export const showsWhole =
  (step: CertificationStep, type: EvidenceType, isShown: (payload: unknown) => boolean = () => true): Shows =>
  ({ params, payload, isLost }) =>
    !isLost && payload !== undefined && isShown(payload)
      ? [sight(step, SightingKind.WHOLE, type, String(params['id']))]
      : [];
