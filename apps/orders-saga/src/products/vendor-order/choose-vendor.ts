import type { VendorDirectory } from '../../clients/vendors/vendor-directory';
import type { JournalEntry } from '../../saga/domain/journal';
import type { StepOutcome } from '../../saga/domain/step-outcome';
import type { SagaRun } from '../../saga/saga-step';

/**
 * Chooses the vendor of an order that none has: the first that sells it, though none accepted it when last asked. Asks
 * nobody, so it is safe to repeat.
 */
export async function chooseVendor(
  { vendors }: { vendors: VendorDirectory },
  { order }: SagaRun,
): Promise<StepOutcome> {
  return goToVendor(vendors.chooseFor(order)?.name ?? order.vendorName ?? 'none', 'Done');
}

/** Closes the open intent with `result` and opens the intent to submit to this vendor. */
export function goToVendor(
  vendor: string,
  result: 'Done' | 'Failed',
): Extract<StepOutcome, { kind: 'replaced' }> {
  const change = { vendorName: vendor };
  return { kind: 'replaced', result, step: 'vendor.submit', intentDetails: { vendor }, change };
}

/** The vendors that certainly did not accept an order since its vendor was last chosen afresh. */
export function vendorsPassed(journal: readonly JournalEntry[]): string[] {
  const chosenAt = journal.findLastIndex(({ step }) => step === 'vendor.choose');
  return journal.slice(chosenAt + 1).flatMap(({ step, phase, outcome, details }) => {
    const vendor = details?.['vendor'];
    const isPassed = step === 'vendor.submit' && phase === 'result' && outcome === 'Failed';
    return isPassed && typeof vendor === 'string' ? [vendor] : [];
  });
}
