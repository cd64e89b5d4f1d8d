import { lastDecision, type JournalEntry } from '../../../saga/domain/journal';

/** What an undone order becomes: Cancelled when its operator cancelled it, otherwise Failed. */
export function undoneStatus(journal: readonly JournalEntry[]): 'Cancelled' | 'Failed' {
  return lastDecision(journal)?.details?.['decision'] === 'cancel' ? 'Cancelled' : 'Failed';
}
