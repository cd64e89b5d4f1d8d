import { AppError, validationFailed } from '@reseller/errors';
import { isLonger, isUuid } from '@reseller/rpc';
import type { Acceptance, RecordedDifference, ReconciliationRepository } from './reconciliation.repository';

const LONGEST_NOTES = 500;

/** One difference; throws NOT_FOUND_DIFFERENCE. */
export async function getDifference(
  records: ReconciliationRepository,
  id: string,
): Promise<RecordedDifference> {
  const difference = isUuid(id) ? await records.find(id) : undefined;
  if (!difference) throw new AppError('NOT_FOUND_DIFFERENCE');
  return difference;
}

/**
 * Records that a difference may stay as it is with these figures, once: one that is accepted with them is returned as it stands. Throws
 * VALIDATION_FAILED, NOT_FOUND_DIFFERENCE, and CONFLICT_DIFFERENCE_CHANGED when it has other figures or is gone.
 */
export async function acceptDifference(
  records: ReconciliationRepository,
  id: string,
  acceptance: Acceptance,
): Promise<RecordedDifference> {
  const { expected, found } = acceptance;
  const notes = acceptance.notes.trim();
  if (notes === '' || isLonger(notes, LONGEST_NOTES))
    throw validationFailed([{ path: 'notes', message: `must have 1 to ${LONGEST_NOTES} characters` }]);
  const accepted = isUuid(id) ? await records.accept(id, { ...acceptance, notes }) : undefined;
  if (accepted) return accepted;
  const difference = await getDifference(records, id);
  const isSame = difference.expected === expected && difference.found === found;
  if (difference.state === 'Accepted' && isSame) return difference;
  throw new AppError('CONFLICT_DIFFERENCE_CHANGED');
}

/** Takes an acceptance back; one that has none, or is gone, is returned as it stands. Throws NOT_FOUND_DIFFERENCE. */
export async function reopenDifference(
  records: ReconciliationRepository,
  id: string,
): Promise<RecordedDifference> {
  const reopened = isUuid(id) ? await records.reopen(id) : undefined;
  return reopened ?? getDifference(records, id);
}
