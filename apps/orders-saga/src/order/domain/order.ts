import { AppError } from '@reseller/errors';
import type { RecordedCheckout } from '../../products/scent/domain/checkout';

/** What an order can be for. */
export const PRODUCTS = ['Topup', 'Esim', 'Scent'] as const;

/** What an order is for. */
export type Product = (typeof PRODUCTS)[number];

/** The two worlds of a partner (spec §2.1). */
export type OrderEnvironment = 'sandbox' | 'live';

/** Where an order stands; scent orders use the last three as well. */
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

/** The plan of an eSIM order as it was when ordered. */
export interface EsimPlan {
  readonly productSku: string;
  readonly email: string;
  /** In GB, a decimal. */
  readonly dataAllowance: string;
  readonly validityDays: number;
}

/** What turns an eSIM on; null where neither the vendor nor an operator knew it. A type, so that it is JSON too. */
export type EsimActivation = {
  readonly iccid: string | null;
  /** `LPA:1$…`: what a QR code of the eSIM holds. */
  readonly qrCode: string | null;
  /** The code to type by hand. */
  readonly activationCode: string | null;
  readonly planDetails: string | null;
};

/** What only an eSIM order has. */
export interface EsimDetails extends EsimPlan {
  /** Null until Completed (spec §4.8). */
  readonly activation: EsimActivation | null;
}

/** An order as it stands; amounts are decimal strings in `currency`. */
export interface Order {
  readonly id: string;
  readonly globalId: string;
  readonly sagaId: string;
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly environment: OrderEnvironment;
  readonly product: Product;
  readonly externalReference: string;
  readonly request: CanonicalRequest;
  /** Null on scent orders. */
  readonly geoScopeGlobalId: string | null;
  /** What is charged; of a scent order with VAT, and 0.00 until its cart is priced. */
  readonly amount: string;
  readonly currency: string;
  /** Of a scent order from a customer's cart. */
  readonly customerRef: string | null;
  /** Of a top-up; E.164. */
  readonly phoneNumber: string | null;
  /** Of an eSIM order. */
  readonly esim: EsimDetails | null;
  readonly status: OrderStatus;
  readonly statusDescription: string | null;
  readonly vendorName: string | null;
  readonly vendorOrderId: string | null;
  readonly vendorAskedAt: Date | null;
  readonly errorMessage: string | null;
  readonly failureCode: string | null;
  readonly displayRate: DisplayRate | null;
  readonly submittedAt: Date;
  readonly completedAt: Date | null;
  readonly currentRetryCount: number;
  readonly nextPollAt: Date | null;
}

/** What a saga may change of an order beside its status. */
export interface OrderChange {
  /** The vendor that is asked from here on; recorded with the intent to ask it. */
  readonly vendorName?: string | undefined;
  readonly vendorOrderId?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly failureCode?: 'VENDOR_REFUSED' | 'OPERATOR_DECISION' | undefined;
  /** Null takes the description away. */
  readonly statusDescription?: string | null | undefined;
  readonly currentRetryCount?: number | undefined;
  /** Of an eSIM order that becomes Completed. */
  readonly activation?: EsimActivation | undefined;
  /** What a checkout made of a scent order's cart. */
  readonly checkout?: RecordedCheckout | undefined;
  /** When a scent order's charge was captured, ISO 8601. */
  readonly taxPoint?: string | undefined;
}

type Moves = Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>>;

const VENDOR_MOVES: Moves = {
  Pending: ['Processing', 'Cancelled'],
  Processing: ['Completed', 'Failed', 'InterventionRequired'],
  InterventionRequired: ['Completed', 'Failed'],
  Completed: ['Reversed'],
};

/** Every move of an order, by its product (spec §4.4, §7.3); what is not here is refused. */
export const ALLOWED_MOVES: Readonly<Record<Product, Moves>> = {
  Topup: VENDOR_MOVES,
  Esim: VENDOR_MOVES,
  Scent: {
    Pending: ['Processing'],
    Processing: ['PartiallyDelivered', 'Completed', 'Cancelled'],
    PartiallyDelivered: ['Completed'],
    Completed: ['PartiallyReturned', 'Returned'],
    PartiallyReturned: ['Returned'],
  },
};

/** Answers `to` when the table has the move, or when nothing moves; otherwise throws CONFLICT_ORDER_STATE. */
export function moveStatus(product: Product, from: OrderStatus, to: OrderStatus): OrderStatus {
  if (from === to || ALLOWED_MOVES[product][from]?.includes(to)) return to;
  throw new AppError('CONFLICT_ORDER_STATE', {
    message: `An order that is ${from} cannot become ${to}.`,
    status: from,
  });
}

const FINAL: readonly OrderStatus[] = ['Completed', 'Failed', 'Cancelled', 'Reversed'];

/** Whether a repeated create may answer an order with 200 (spec §4.2, §7.2). */
export function isFinal({ product, status }: Pick<Order, 'product' | 'status'>): boolean {
  return product === 'Scent' ? status !== 'Pending' : FINAL.includes(status);
}

/** The public names of the fields in which two bodies differ, sorted; empty when they are the same values. */
export function mismatchedFields(first: CanonicalRequest, second: CanonicalRequest): string[] {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => (first[name] ?? null) !== (second[name] ?? null)).sort();
}
