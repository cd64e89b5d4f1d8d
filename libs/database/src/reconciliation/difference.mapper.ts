import { DifferenceState, type Difference } from '@reseller/contracts';
import type { DifferenceStateName, RecordedDifference } from './reconciliation.repository';

const STATES: Readonly<Record<DifferenceStateName, DifferenceState>> = {
  Open: DifferenceState.OPEN,
  Accepted: DifferenceState.ACCEPTED,
  Resolved: DifferenceState.RESOLVED,
};

/** The state of that name on the wire; undefined for UNSPECIFIED. */
export function stateNameOf(state: DifferenceState): DifferenceStateName | undefined {
  return (Object.keys(STATES) as DifferenceStateName[]).find((name) => STATES[name] === state);
}

/** A recorded difference on the wire. */
export function toMessage({
  resolvedAt,
  state,
  acceptedExpected,
  acceptedFound,
  acceptedAt,
  acceptedBy,
  acceptedNotes,
  ...row
}: RecordedDifference): Difference {
  const isAccepted = acceptedAt !== null;
  return {
    ...row,
    resolvedAt: resolvedAt ?? undefined,
    state: STATES[state],
    acceptance: isAccepted
      ? {
          expected: acceptedExpected ?? '',
          found: acceptedFound ?? '',
          acceptedBy: acceptedBy ?? '',
          acceptedAt,
          notes: acceptedNotes ?? '',
        }
      : undefined,
  };
}
