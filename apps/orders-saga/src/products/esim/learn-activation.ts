import type { ResolveOrderRequest } from '@reseller/contracts';
import { VendorUnreachableError, type VendorKnowledge } from '../../clients/vendors/domain/vendor';
import type { VendorDirectory } from '../../clients/vendors/vendor-directory';
import type { Order } from '../../order/domain/order';
import type { JournalEntry } from '../../saga/domain/journal';
import type { Details } from '../../saga/domain/step-outcome';
import { activationNote, vendorActivation, type EsimActivation } from './domain/activation';

// Far below the time an operator waits: without a response the operator's own data serve.
const INQUIRY_MS = 1_500;

/**
 * The note of the activation data of an eSIM that an operator resolves as Completed (spec §12): the vendor's, from its
 * last response or by asking it once more, else what the operator gave; empty when nobody knows any.
 */
export async function noteResolvedActivation(
  { vendors }: { vendors: VendorDirectory },
  order: Order,
  journal: readonly JournalEntry[],
  request: ResolveOrderRequest,
): Promise<Details> {
  const stated = vendorActivation(journal);
  if (stated) return { activation: stated };
  const inquired = activationNote(await inquireOnce(vendors, order));
  if (inquired['activation']) return inquired;
  const given = givenActivation(request);
  return given ? { activation: given } : {};
}

async function inquireOnce(
  vendors: VendorDirectory,
  order: Order,
): Promise<Readonly<Record<string, unknown>>> {
  const signal = AbortSignal.timeout(INQUIRY_MS);
  try {
    const known: VendorKnowledge = await vendors.vendorOf(order).inquire(order.globalId, { signal });
    return 'delivery' in known ? (known.delivery ?? {}) : {};
  } catch (error) {
    if (error instanceof VendorUnreachableError || signal.aborted) return {};
    throw error;
  }
}

function givenActivation(request: ResolveOrderRequest): EsimActivation | undefined {
  const given = {
    iccid: request.esimIccid ?? null,
    qrCode: request.esimQrCode ?? null,
    activationCode: request.esimActivationCode ?? null,
    planDetails: request.esimPlanDetails ?? null,
  };
  return Object.values(given).some((value) => value !== null) ? given : undefined;
}
