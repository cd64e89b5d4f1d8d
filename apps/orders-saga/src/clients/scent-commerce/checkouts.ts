import {
  PricingMode,
  TaxClassification,
  type Checkout,
  type CheckoutLine,
  type CheckoutServiceService,
} from '@reseller/contracts';
import { isAppError } from '@reseller/errors';
import { decimal, toFixedString } from '@reseller/money';
import { environmentOf, type CallContext, type RpcClient } from '@reseller/rpc';
import { v7 as uuid } from 'uuid';
import type { DisplayRate, Order } from '../../order/domain/order';
import type { RecordedCheckout, RecordedLine } from '../../products/scent/domain/checkout';

/** The scent shop's side of an order; everything is idempotent by the order's global id. Throws what the shop throws. */
export interface Checkouts {
  /** Freezes, prices and reserves the cart; returns what is to be written into the order, and the live rate of that moment. */
  begin(order: Order, call: CallContext): Promise<BegunCheckout>;
  commit(order: Order, call: CallContext): Promise<void>;
  /** Safe when nothing began, which then cannot begin any more. */
  cancel(order: CheckoutOwner, call: CallContext): Promise<void>;
  /** Puts a cancelled group's units back on the shelf, once for each group. */
  restock(
    order: Order,
    groupId: string,
    units: readonly { variantId: string; quantity: number }[],
    call: CallContext,
  ): Promise<void>;
  /** Gives the discount of a cancelled order back. */
  giveBackRedemption(order: Order, call: CallContext): Promise<void>;
}

/** Whose checkout it is, and by which key. */
type CheckoutOwner = Pick<Order, 'globalId' | 'partnerId' | 'environment'>;

/** A checkout that began. */
interface BegunCheckout {
  readonly checkout: RecordedCheckout;
  /** Null where no conversion applies. */
  readonly displayRate: DisplayRate | null;
}

/** The scent shop by gRPC; each call gets a response or SERVICE_UNAVAILABLE within `deadlineMs`. */
export function createCheckouts(
  client: RpcClient<typeof CheckoutServiceService>,
  { deadlineMs, platformTaxRegistrationNumber = null }: CheckoutSettings,
): Checkouts {
  const within = { deadlineMs };
  return {
    async begin(order, call) {
      const { request } = order;
      const registered = request['partnerIsVatRegistered'];
      const begin = {
        ...keyOf(order),
        customerRef: request['customerRef'] ?? undefined,
        lockId: request['lockId'] ?? undefined,
        discountCode: request['discountCode'] ?? undefined,
        partnerIsVatRegistered: typeof registered === 'string' ? registered === 'true' : undefined,
        partnerTaxRegistrationNumber: request['partnerTaxRegistrationNumber'] ?? undefined,
      };
      const { checkout } = await client.beginCheckout(begin, call, within);
      if (!checkout) throw new Error('a checkout was returned without its figures');
      return {
        checkout: toRecord(checkout, platformTaxRegistrationNumber),
        displayRate: checkout.displayRate ?? null,
      };
    },
    async commit(order, call) {
      await client.commitCheckout(keyOf(order), call, within);
    },
    async cancel(order, call) {
      await client.cancelCheckout(keyOf(order), call, within);
    },
    async restock(order, groupId, units, call) {
      await client.restockUnits({ ...keyOf(order), restockKey: groupId, lines: [...units] }, call, within);
    },
    async giveBackRedemption(order, call) {
      await client.giveBackRedemption(keyOf(order), call, within);
    },
  };
}

/** Settings of the scent shop's client. */
interface CheckoutSettings {
  readonly deadlineMs: number;
  /** Written into every scent order. */
  readonly platformTaxRegistrationNumber?: string | null | undefined;
}

/** Whether the shop refused: it is not away, and a repetition would hear the same. */
export function isShopRefusal(error: unknown): boolean {
  return isAppError(error) && !['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'].includes(error.code);
}

function keyOf({ globalId, partnerId, environment }: CheckoutOwner) {
  return { orderKey: globalId, partnerId, environment: environmentOf(environment) };
}

// One group for each warehouse, in the order in which they are read.
function toRecord(checkout: Checkout, platformTaxRegistrationNumber: string | null): RecordedCheckout {
  const sources = [...new Set(checkout.lines.map(({ warehouseCode }) => warehouseCode))].toSorted();
  const groups = sources.map((source) => ({ id: uuid(), source }));
  const groupOf = new Map(groups.map(({ id, source }) => [source, id]));
  const pricingMode = checkout.pricingMode === PricingMode.LOCKED ? 'Locked' : 'Live';
  return {
    cartId: checkout.cartId,
    totalAmount: checkout.totalAmount,
    totalGoodsVat: checkout.totalGoodsVat,
    totalAmountWithVat: checkout.totalAmountWithVat,
    totalCommission: checkout.totalCommission,
    totalCommissionVat: checkout.totalCommissionVat,
    discountCode: checkout.discount?.code ?? null,
    discountAmount: checkout.discount?.amount ?? null,
    partnerIsVatRegistered: checkout.partnerIsVatRegistered,
    partnerTaxRegistrationNumber: checkout.partnerTaxRegistrationNumber ?? null,
    platformTaxRegistrationNumber,
    groups,
    lines: checkout.lines.map((line, position) => ({
      ...toLine(line, position, pricingMode),
      groupId: groupOf.get(line.warehouseCode) ?? '',
    })),
  };
}

function toLine(
  line: CheckoutLine,
  position: number,
  pricingMode: RecordedLine['pricingMode'],
): Omit<RecordedLine, 'groupId'> {
  return {
    id: uuid(),
    position,
    variantId: line.variantId,
    sku: line.sku,
    quantity: line.quantity,
    unitAmount: line.unitGoods,
    lineTotal: line.goods,
    goodsVat: line.goodsVat,
    commission: line.commission,
    commissionVat: line.commissionVat,
    pricingMode,
    source: line.warehouseCode,
    taxClassification: line.taxClassification === TaxClassification.ZERO ? 'ZERO' : 'STANDARD',
    vatRate: toFixedString(decimal(line.vatRate), 4),
  };
}
