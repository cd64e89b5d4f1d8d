import type { JsonValue, ErrorDetails } from '@reseller/errors';
import { z } from 'zod';
import { lastDetails, openDecision, type JournalEntry } from '../../../saga/domain/journal';

/** What turns an eSIM on; null where neither the vendor nor an operator knew it. A type, so that it is JSON too. */
export type EsimActivation = {
  readonly iccid: string | null;
  /** `LPA:1$…`: what a QR code of the eSIM holds. */
  readonly qrCode: string | null;
  /** The code to type by hand. */
  readonly activationCode: string | null;
  readonly planDetails: string | null;
};

const vendorActivationShape = z.object({
  iccid: z.string(),
  /** `LPA:1$…`: what a QR code of the eSIM holds. */
  activationCode: z.string().startsWith('LPA:1$'),
  /** The code to type by hand. */
  matchingId: z.string(),
  planDetails: z.string(),
});

/** The field of the vendor contract that holds what turns a delivered eSIM on. */
export const ACTIVATION_SHAPES = { activation: vendorActivationShape };

/** The journal's note of a vendor's activation data; empty where the vendor gave none. */
export function activationNote(delivery: Readonly<Record<string, unknown>>): ErrorDetails {
  const given = delivery['activation'] as z.infer<typeof vendorActivationShape> | undefined;
  if (!given) return {};
  const { iccid, activationCode: qrCode, matchingId: activationCode, planDetails } = given;
  return { activation: { iccid, qrCode, activationCode, planDetails } };
}

/** The activation data that a completion shows: an operator's decision settles it, else the vendor's response did. */
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
