/** What a vendor is asked to deliver; amounts are decimal strings in `currency`. */
export interface VendorOrder {
  readonly product: 'Topup' | 'Esim';
  readonly orderGlobalId: string;
  readonly geoScopeGlobalId: string;
  /** E.164; of a top-up. */
  readonly phoneNumber?: string | undefined;
  /** Of an eSIM. */
  readonly email?: string | undefined;
  /** Of an eSIM. */
  readonly productSku?: string | undefined;
  readonly amount: string;
  readonly currency: string;
}

/** What turns a delivered eSIM on. */
export interface VendorActivation {
  readonly iccid: string;
  /** `LPA:1$…`: what a QR code of the eSIM holds. */
  readonly activationCode: string;
  /** The code to type by hand. */
  readonly matchingId: string;
  readonly planDetails: string;
}

/** What a vendor says of an order: delivered, refused, accepted but undecided, or lost track of. */
export type VendorAnswer =
  | {
      readonly kind: 'success';
      readonly vendorOrderId: string;
      readonly activation?: VendorActivation | undefined;
    }
  | { readonly kind: 'refused'; readonly vendorOrderId?: string | undefined; readonly reason: string }
  | { readonly kind: 'pending'; readonly vendorOrderId?: string | undefined }
  | {
      readonly kind: 'unknown';
      readonly vendorOrderId?: string | undefined;
      readonly activation?: VendorActivation | undefined;
    };

/** What a vendor knows of a key; `not-found`: it never took such an order, so the same request may go out again. */
export type VendorKnowledge = VendorAnswer | { readonly kind: 'not-found' };

/**
 * A seller of top-ups or eSIMs. Both calls throw VendorUnreachableError when nobody can tell what happened, and a
 * submission VendorTookNothingError when it certainly had no effect.
 */
export interface Vendor {
  readonly name: string;
  /** Places an order; idempotent by its key for ever. */
  submit(order: VendorOrder, options: { idempotencyKey: string; signal: AbortSignal }): Promise<VendorAnswer>;
  /** Asks what became of a key; changes nothing. */
  inquire(idempotencyKey: string, options: { signal: AbortSignal }): Promise<VendorKnowledge>;
}

/** A 5xx, a lost connection or a time-out: the request may have taken effect, so only an inquiry can tell. */
export class VendorUnreachableError extends Error {
  override readonly name: string = 'VendorUnreachableError';
}

/** This submission certainly had no effect and never will: it was not sent, or the vendor says so. */
export class VendorTookNothingError extends VendorUnreachableError {
  override readonly name = 'VendorTookNothingError';
}
