import type { PageInfo, PageRequest } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { isUuid, type PartnerScope } from '@reseller/rpc';
import { BLOCK_LENGTH } from './difference-blocks';
import { spansOf } from './domain/block-spans';
import {
  DIFFERENCE_KINDS,
  type Difference,
  type DifferenceKind,
  type ReconciledTime,
  type Reconciliation,
} from './domain/reconciliation';
import { readRecord } from './read-record';
import type { Observe } from './reconciliation-metrics';
import type { ReconciliationRepository } from './reconciliation.repository';
import type { Turns } from './turns';

/** What reconciling needs. */
export interface ReconciliationDeps {
  reconciliations: ReconciliationRepository;
  /** Who reads a file holds it in memory, and then a connection: few do at once. */
  turns: Turns;
  observeReconciliation: Observe;
}

/** Compares a partner's record with our orders of a time; VALIDATION_FAILED with all that is wrong with its file (spec §17.4). */
export function reconcileOrders(
  { reconciliations, turns, observeReconciliation }: ReconciliationDeps,
  scope: PartnerScope,
  time: ReconciledTime,
  parts: AsyncIterable<Buffer>,
): Promise<Reconciliation> {
  return observeReconciliation(() =>
    turns.take(async () => reconciliations.reconcile(scope, time, await readRecord(parts))),
  );
}

/** The scope's own reconciliation of the last 30 days; NOT_FOUND_RECONCILIATION for any other. */
export async function getReconciliation(
  { reconciliations }: Pick<ReconciliationDeps, 'reconciliations'>,
  scope: PartnerScope,
  id: string,
): Promise<Reconciliation> {
  const found = isUuid(id) ? await reconciliations.find(scope, id) : undefined;
  if (!found) throw new AppError('NOT_FOUND_RECONCILIATION');
  return found;
}

/** A page of its differences, by kind, then by reference. */
export async function listDifferences(
  deps: Pick<ReconciliationDeps, 'reconciliations'>,
  scope: PartnerScope,
  id: string,
  { kind, page }: { kind: DifferenceKind | undefined; page: PageRequest | undefined },
): Promise<{ differences: Difference[]; page: PageInfo }> {
  const { differences: counts } = await getReconciliation(deps, scope, id);
  const kinds: readonly DifferenceKind[] = kind ? [kind] : DIFFERENCE_KINDS;
  const total = kinds.reduce((sum, one) => sum + counts[one], 0);
  const spans = spansOf(counts, kind, pageBounds(page));
  const [first] = spans;
  const found = spans.length > 0 ? await deps.reconciliations.readBlocks(id, spans) : [];
  // The first block begins before the page, mostly; those of further kinds begin with it.
  const skipped = first ? first.from % BLOCK_LENGTH : 0;
  const length = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  return { differences: pickOf(found, skipped, length), page: toPageInfo(page, total) };
}

const pickOf = (found: Difference[], skipped: number, length: number): Difference[] =>
  found.slice(skipped, skipped + length);
