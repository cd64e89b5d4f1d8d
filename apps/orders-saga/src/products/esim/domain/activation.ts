import type { JsonValue } from '@reseller/errors';
import type { EsimActivation } from '../../../order/domain/order';
import { lastDetails, openDecision, type JournalEntry } from '../../../saga/domain/journal';
import type { VendorActivation } from '../../../clients/vendors/domain/vendor';

/** The journal's note of a vendor's activation data; empty where the vendor gave none. */
export function activationDetails({ activation }: { activation?: VendorActivation | undefined }): {
  activation?: EsimActivation;
} {
  if (!activation) return {};
  const { iccid, activationCode: qrCode, matchingId: activationCode, planDetails } = activation;
  return { activation: { iccid, qrCode, activationCode, planDetails } };
}

/** The activation data that a completion shows: an operator's decision settles it, else the vendor's answer did. */
export function recordedActivation(journal: readonly JournalEntry[]): EsimActivation | undefined {
  return readActivation(openDecision(journal)?.details?.['activation']) ?? vendorActivation(journal);
}

/** What the vendor said when it answered last. */
export function vendorActivation(journal: readonly JournalEntry[]): EsimActivation | undefined {
  return readActivation(lastDetails(journal, 'vendor.submit')['activation']);
}

function readActivation(value: JsonValue | undefined): EsimActivation | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const text = (name: keyof EsimActivation): string | null => {
    const field = value[name];
    return typeof field === 'string' ? field : null;
  };
  return {
    iccid: text('iccid'),
    qrCode: text('qrCode'),
    activationCode: text('activationCode'),
    planDetails: text('planDetails'),
  };
}
