import type { z } from 'zod';

/** What is to be delivered, in the fields of the vendor contract that its product fills. */
export type VendorItem = Readonly<Record<string, string | undefined>>;

/** What a vendor is asked to deliver; the amount is a decimal string in `currency`. */
export interface VendorOrder {
  readonly product: string;
  readonly orderGlobalId: string;
  readonly geoScopeGlobalId: string;
  readonly item: VendorItem;
  readonly amount: string;
  readonly currency: string;
}

/** The fields of a response that hold what was delivered, each of its product's shape; absent ones were not given. */
export type VendorDelivery = Readonly<Record<string, unknown>>;

/** The shapes of those fields. */
export type DeliveryShapes = Readonly<Record<string, z.ZodType>>;

/** What a vendor says of an order: delivered, refused, accepted but undecided, or lost track of. */
export type VendorResponse =
  | {
      readonly kind: 'success';
      readonly vendorOrderId: string;
      readonly delivery?: VendorDelivery | undefined;
    }
  | { readonly kind: 'refused'; readonly vendorOrderId?: string | undefined; readonly reason: string }
  | { readonly kind: 'pending'; readonly vendorOrderId?: string | undefined }
  | {
      readonly kind: 'unknown';
      readonly vendorOrderId?: string | undefined;
      readonly delivery?: VendorDelivery | undefined;
    };

/** What a vendor knows of a key; `not-found`: it never accepted such an order, so the same request may go out again. */
export type VendorKnowledge = VendorResponse | { readonly kind: 'not-found' };

/** How an order is placed. */
interface SubmitOptions {
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Whether the caller may still have it placed; it is looked at again when the request is about to leave. */
  readonly isHeld: () => boolean;
}

/**
 * Whoever delivers what is sold. Both calls throw VendorUnreachableError when nobody can tell what happened, and a
 * submission VendorNotAcceptedError when it certainly had no effect.
 */
export interface Vendor {
  readonly name: string;
  /** Places an order; idempotent by its key for ever. */
  submit(order: VendorOrder, options: SubmitOptions): Promise<VendorResponse>;
  /** Asks what became of a key; changes nothing. */
  inquire(idempotencyKey: string, options: { signal: AbortSignal }): Promise<VendorKnowledge>;
}

/** A 5xx, a lost connection or a time-out: the request may have taken effect, so only an inquiry can tell. */
export class VendorUnreachableError extends Error {
  override readonly name: string = 'VendorUnreachableError';
}

/** This submission certainly had no effect and never will: it was not sent, or the vendor says so. */
export class VendorNotAcceptedError extends VendorUnreachableError {
  override readonly name = 'VendorNotAcceptedError';
}
