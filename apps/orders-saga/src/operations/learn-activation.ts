import type { EsimActivation, Order } from '../order/domain/order';
import { activationDetails, vendorActivation } from '../products/esim/domain/activation';
import type { JournalEntry } from '../saga/domain/journal';
import { VendorUnreachableError } from '../clients/vendors/domain/vendor';
import type { VendorDirectory } from '../clients/vendors/vendor-directory';

// Far below the time an operator waits: without an answer the operator's own data serve.
const INQUIRY_MS = 1_500;

/**
 * The activation data for an eSIM that an operator resolves as Completed (spec §12): the vendor's, from its last
 * answer or by asking it once more, else what the operator gave, else undefined.
 */
export async function learnActivation(
  vendors: VendorDirectory,
  order: Order,
  journal: readonly JournalEntry[],
  given: EsimActivation | undefined,
): Promise<EsimActivation | undefined> {
  return vendorActivation(journal) ?? (await askAgain(vendors, order)) ?? given;
}

async function askAgain(vendors: VendorDirectory, order: Order): Promise<EsimActivation | undefined> {
  const signal = AbortSignal.timeout(INQUIRY_MS);
  try {
    const known = await vendors.vendorOf(order).inquire(order.globalId, { signal });
    return 'activation' in known ? activationDetails(known).activation : undefined;
  } catch (error) {
    if (error instanceof VendorUnreachableError || signal.aborted) return undefined;
    throw error;
  }
}
