/** The two worlds of a partner (spec §2.1). */
export type OrderEnvironment = 'sandbox' | 'live';

/** Where an order stands; which of these an order can reach is its product's to say. */
export const ORDER_STATUSES = [
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'InterventionRequired',
  'Cancelled',
  'Reversed',
  'PartiallyDelivered',
  'PartiallyReturned',
  'Returned',
] as const;

/** One of ORDER_STATUSES. */
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The body of a create as values, so that 10 and 10.00, absent and null compare as one (spec §4.2). */
export type CanonicalRequest = Readonly<Record<string, string | null>>;

/** How amounts show in the partner's display currency, frozen at submission. */
export interface DisplayRate {
  readonly currency: string;
  /** Display units for one SAR, a decimal. */
  readonly rate: string;
}

/** What only the orders of one product have; the product's own module says what is in it. */
export type OrderDetails = Readonly<Record<string, unknown>>;

/** An order as it stands; amounts are decimal strings in `currency`. */
export interface Order {
  readonly id: string;
  readonly globalId: string;
  readonly sagaId: string;
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly environment: OrderEnvironment;
  /** The name of one of products/index.ts. */
  readonly product: string;
  readonly externalReference: string;
  readonly request: CanonicalRequest;
  /** Null where the product is not sold by geo scope. */
  readonly geoScopeGlobalId: string | null;
  /** What is charged; 0.00 while it is not priced yet. */
  readonly amount: string;
  readonly currency: string;
  /** Of an order from a customer's cart. */
  readonly customerRef: string | null;
  readonly details: OrderDetails;
  readonly status: OrderStatus;
  readonly statusDescription: string | null;
  readonly vendorName: string | null;
  readonly vendorOrderId: string | null;
  readonly vendorSubmittedAt: Date | null;
  readonly errorMessage: string | null;
  readonly failureCode: string | null;
  readonly displayRate: DisplayRate | null;
  readonly submittedAt: Date;
  readonly completedAt: Date | null;
  readonly currentRetryCount: number;
  readonly nextPollAt: Date | null;
}

/** An order that is to be made. */
export interface NewOrder extends Pick<
  Order,
  | 'id'
  | 'globalId'
  | 'sagaId'
  | 'partnerId'
  | 'partnerGlobalId'
  | 'environment'
  | 'product'
  | 'externalReference'
  | 'request'
  | 'geoScopeGlobalId'
  | 'amount'
  | 'currency'
  | 'details'
  | 'vendorName'
  | 'displayRate'
> {
  /** The saga's first step, recorded together with the order. */
  readonly firstStep: string;
}

/** What a saga may change of an order beside its status. */
export interface OrderChange {
  /** Of an order that is priced after it began, a decimal. */
  readonly amount?: string | undefined;
  /** Of such an order too: the rate that it freezes (spec §3.3), or null for none. */
  readonly displayRate?: DisplayRate | null | undefined;
  /** The vendor that is asked from here on; recorded with the intent to ask it. */
  readonly vendorName?: string | undefined;
  readonly vendorOrderId?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly failureCode?: 'VENDOR_REFUSED' | 'OPERATOR_DECISION' | undefined;
  /** Null takes the description away. */
  readonly statusDescription?: string | null | undefined;
  readonly currentRetryCount?: number | undefined;
  /** What is learned of the product's own details. */
  readonly details?: OrderDetails | undefined;
}

/** The public names of the fields in which two bodies differ, sorted; empty when they are the same values. */
export function mismatchedFields(first: CanonicalRequest, second: CanonicalRequest): string[] {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => (first[name] ?? null) !== (second[name] ?? null)).sort();
}
