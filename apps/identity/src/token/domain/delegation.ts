import { isDescendant } from '../../partner/domain/hierarchy';

/** As much of a partner as a token needs to know. */
export interface TokenPartner {
  id: string;
  globalId: string;
  path: string[];
  /** Itself and everybody above it: an inactive partner makes its whole subtree inactive (spec §2.6). */
  isActive: boolean;
  /** Itself or anybody above it (spec §18.5). */
  isFrozen: boolean;
}

/** Whom a token may speak for, or the error code that says why not. */
type SubjectDecision =
  | { subject: TokenPartner; isDelegated: boolean }
  | { refusal: 'FORBIDDEN_NOT_YOUR_DESCENDANT' | 'FORBIDDEN_DELEGATION_TARGET_INVALID' };

/** The delegation rule (spec §2.5): oneself, or any active partner below that is not frozen; `target` is who onBehalfOf names. */
export function decideSubject(
  caller: TokenPartner,
  isOnBehalf: boolean,
  target: TokenPartner | undefined,
): SubjectDecision {
  if (!isOnBehalf) return { subject: caller, isDelegated: false };
  if (!target || !isDescendant(target.path, caller.id)) return { refusal: 'FORBIDDEN_NOT_YOUR_DESCENDANT' };
  if (!target.isActive || target.isFrozen) return { refusal: 'FORBIDDEN_DELEGATION_TARGET_INVALID' };
  return { subject: target, isDelegated: true };
}
