import { randomUUID } from 'node:crypto';
import type { ApiResponse } from './response';
import { expectSuccess } from './response';
import type { OperatorClient } from './operator-client';
import type { PartnerClient } from './partner-client';
import type { Page } from './resources';
import type { EnvironmentName } from '../platform/platform-file';

/** A scent order's line as partners read it. */
export interface ScentOrderLine {
  readonly id: string;
  readonly variantId: string;
  readonly quantity: number;
  readonly returnedQuantity: number;
  readonly unitAmount: number;
  readonly lineTotal: number;
  readonly partnerCommission: number;
  readonly pricingMode: string;
  readonly source: string;
  readonly taxClassification: string;
  readonly vatRateApplied: number;
  readonly lineGoodsVatAmount: number;
  readonly lineCommissionVatAmount: number;
  readonly unitAmountDisplay: number | null;
  readonly lineTotalDisplay: number | null;
  readonly partnerCommissionDisplay: number | null;
  readonly fulfillmentGroupId: string;
}

/** A scent order as partners read it. */
export interface ScentOrder {
  readonly id: string;
  readonly orderGlobalId: string;
  readonly sagaId: string;
  readonly partnerId: string;
  readonly externalReference: string;
  readonly customerRef: string | null;
  readonly totalAmount: number;
  readonly totalCommission: number;
  readonly currency: string;
  readonly status: string;
  readonly lines: readonly ScentOrderLine[];
  readonly fulfillmentGroups: readonly {
    readonly id: string;
    readonly status: string;
    readonly deliveredAt: string | null;
  }[];
  readonly deliveryRollup: { readonly totalGroups: number; readonly deliveredGroups: number };
  readonly totalGoodsVatAmount: number;
  readonly totalCommissionVatAmount: number;
  readonly totalAmountWithVat: number;
  readonly totalCommissionWithVat: number;
  readonly taxPoint: string | null;
  readonly platformTaxRegistrationNumber: string | null;
  readonly partnerTaxRegistrationNumber: string | null;
  readonly partnerIsVatRegistered: boolean;
  readonly displayCurrency: string | null;
  readonly rate: number | null;
  readonly totalAmountDisplay: number | null;
  readonly shippingAddress: Readonly<Record<string, string | null>>;
  readonly discountCode: string | null;
  readonly discountAmount: number | null;
  readonly submittedAt: string;
  readonly completedAt: string | null;
}

/** A cart or a preview of its checkout, as far as tests look at it. */
export interface CartView {
  readonly id: string;
  readonly status: string;
  readonly customerRef: string | null;
  readonly items: readonly { readonly variantId: string; readonly quantity: number }[];
  readonly chargedWithVat: number;
  readonly commissionWithVat: number;
  readonly lockId?: string | null;
}

/** A discount code with how often it was redeemed. */
export interface DiscountCodeView {
  readonly id: string;
  readonly code: string;
  readonly totalUsageCap: number | null;
  readonly usageCount: number;
}

/** A variant as operators read it. */
export interface ShelfVariant {
  readonly id: string;
  readonly sku: string;
  readonly warehouse: string;
  readonly listPrice: number;
  readonly cost: number;
  readonly taxClassification: string;
  readonly isSample: boolean;
  readonly isActive: boolean;
  /** Of the environment in which less is available, as is stockReserved. */
  readonly stockOnHand: number;
  readonly stockReserved: number;
  readonly stock: readonly EnvironmentStock[];
}

/** A variant's stock in one environment. */
interface EnvironmentStock {
  readonly environment: EnvironmentName;
  readonly stockOnHand: number;
  readonly stockReserved: number;
}

/** A scent order's body; its lines are the cart's. */
export interface ScentBody {
  readonly externalReference: string;
  readonly shippingAddress: Readonly<Record<string, string>>;
  readonly customerRef?: string;
  readonly lockId?: string;
  readonly discountCode?: string;
}

/** A scent order's body with a reference of its own. */
export function newScentOrder<T extends object>(overrides?: T): ScentBody & T {
  return {
    externalReference: `ref-${randomUUID()}`,
    shippingAddress: {
      recipient: 'Noura Al Harbi',
      line1: 'King Fahd Road 12',
      city: 'Riyadh',
      country: 'SA',
      phone: '+966501234567',
    },
    ...overrides,
  } as ScentBody & T;
}

const query = (customerRef?: string): string =>
  customerRef === undefined ? '' : `?customerRef=${encodeURIComponent(customerRef)}`;

/** Adds units to a customer's cart, or to the bare one, once under a key; a response that is no success fails. */
export const addToCart = async (
  client: PartnerClient,
  variantId: string,
  quantity: number,
  customerRef?: string,
  key?: string,
): Promise<CartView> =>
  expectSuccess(
    await client.call<CartView>(`/scent/cart/items${query(customerRef)}`, {
      body: { variantId, quantity },
      headers: keyed(key),
    }),
  );

/** The header under which a create that has no reference happens once (spec §1.11). */
export const keyed = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'Idempotency-Key': key };

/** The open cart as it is now. */
export const readCart = async (client: PartnerClient, customerRef?: string): Promise<CartView> =>
  expectSuccess(await client.call<CartView>(`/scent/cart${query(customerRef)}`));

/** Removes every line of the open cart. */
export const clearCart = (client: PartnerClient, customerRef?: string): Promise<ApiResponse<CartView>> =>
  client.call<CartView>(`/scent/cart${query(customerRef)}`, { method: 'DELETE' });

/** One unit of a variant as the partner would buy it now. */
export async function quoteUnit(
  client: PartnerClient,
  variantId: string,
): Promise<{ readonly lineCommission: number }> {
  type Quote = { readonly items: readonly [{ readonly lineCommission: number }] };
  const body = { lines: [{ variantId, quantity: 1 }] };
  return expectSuccess(await client.call<Quote>('/scent/price-quote', { body })).items[0];
}

/** Checks a cart out. */
export const orderScents = (client: PartnerClient, body: object): Promise<ApiResponse<ScentOrder>> =>
  client.call<ScentOrder>('/orders/scent', { body });

/** One scent order by its id. */
export const readScentOrder = async (client: PartnerClient, id: string): Promise<ScentOrder> =>
  expectSuccess(await client.call<ScentOrder>(`/orders/scent/${id}`));

/** Every scent order of a partner, newest first. */
export const scentOrdersOf = (client: PartnerClient): Promise<ScentOrder[]> =>
  client.all<ScentOrder>('/orders/scent');

/** A new discount code of a partner. */
export const newDiscountCode = async (
  client: PartnerClient,
  settings: object = {},
): Promise<DiscountCodeView> =>
  expectSuccess(
    await client.call<DiscountCodeView>('/scent/discount-codes', {
      body: {
        code: `C-${randomUUID().slice(0, 13)}`,
        discountType: 'Percent',
        value: 10,
        isActive: true,
        productScope: 'All',
        ...settings,
      },
    }),
  );

/** A discount code as it is now. */
export const readDiscountCode = async (client: PartnerClient, id: string): Promise<DiscountCodeView> =>
  expectSuccess(await client.call<DiscountCodeView>(`/scent/discount-codes/${id}`));

/** The shelf as operators see and fill it. */
export class Shelf {
  constructor(private readonly operator: OperatorClient) {}

  /** Variants on offer that are no samples, by sku. */
  async onOffer(): Promise<ShelfVariant[]> {
    const found: ShelfVariant[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const response = await this.operator.get<Page<ShelfVariant>>(
        `/variants?isActive=true&pageSize=100&page=${page}`,
      );
      found.push(...response.items.filter(({ isSample }) => !isSample));
      pages = response.pagination.totalPages;
    }
    return found.sort((a, b) => (a.sku < b.sku ? -1 : 1));
  }

  /** One variant as it is now. */
  read = (id: string): Promise<ShelfVariant> => this.operator.get<ShelfVariant>(`/variants/${id}`);

  /** Changes a variant as an operator would. */
  set = (id: string, changes: object): Promise<ShelfVariant> =>
    this.operator.patch<ShelfVariant>(`/variants/${id}`, changes);
}
