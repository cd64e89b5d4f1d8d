import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  addToCart,
  newDiscountCode,
  newScentOrder,
  orderScents,
  Shelf,
  type DiscountCodeView,
  type ScentOrder,
} from '../clients/scents';
import type { OperatorClient, TestPartner } from '../clients/operator-client';
import type { ApiResponse } from '../clients/response';
import type { EnvironmentName } from '../platform/platform-file';
import { readScentBooks } from '../storm/books';
import { until } from '../until';

const STOCK = 1_000;
const CAP = 12;
const PASSING = [
  'CONFLICT_ORDER_IN_PROGRESS',
  'CONFLICT_REQUEST_IN_PROGRESS',
  'CONFLICT_CART_HAS_PENDING_ORDER',
];
const PATIENCE_MS = 120_000;

/** A partner's shops in one environment: they sell one scarce variant, with a code that may be redeemed so often and no more. */
export class CodeShoppers {
  readonly faults: string[] = [];
  /** By reference: the response that was final. */
  private readonly acknowledged = new Map<string, ScentOrder>();
  private readonly bodies = new Map<string, object>();
  private isOver = false;
  private isSoldOut = false;
  private work: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly environment: EnvironmentName,
    private readonly partner: TestPartner,
    private readonly shelf: Shelf,
    private readonly variantId: string,
    private readonly code: DiscountCodeView,
  ) {}

  /** With a partner of its own, and a variant that nobody else sells. */
  static async open(operator: OperatorClient, environment: EnvironmentName): Promise<CodeShoppers> {
    const shelf = new Shelf(operator);
    const goods = (await shelf.onOffer())[environment === 'live' ? 60 : 61];
    if (!goods) throw new Error('the catalog is too small');
    await shelf.set(goods.id, { stockOnHand: STOCK });
    const partner = await operator.newPartner({ deposit: 1_000_000 });
    const code = await until('the partner can make a code', () =>
      newDiscountCode(partner[environment], { totalUsageCap: CAP }),
    );
    return new CodeShoppers(environment, partner, shelf, goods.id, code);
  }

  start(): void {
    this.work = Promise.all([this.shop(), this.shop()]);
  }

  /** Ends it; resolves when every order has its response. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.work;
  }

  private async shop(): Promise<void> {
    while (!this.isOver && !this.isSoldOut) {
      const reference = `shop-${randomUUID()}`;
      await this.checkOut(reference).catch((error: Error) =>
        this.faults.push(`${reference}: ${error.message}`),
      );
      await pause(300);
    }
  }

  private async checkOut(reference: string): Promise<void> {
    const client = this.partner[this.environment];
    const customerRef = reference.slice(0, 40);
    await until(
      'the cart is filled',
      () => addToCart(client, this.variantId, 2, customerRef, reference),
      PATIENCE_MS,
    );
    const body = newScentOrder({ externalReference: reference, customerRef });
    const withCode = { ...body, discountCode: this.code.code };
    const first = await this.final(withCode);
    const isUsedUp = first.state === 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE';
    const { status, state, payload, text } = isUsedUp ? await this.final(body) : first;
    if (state === 'BUSINESS_INSUFFICIENT_STOCK') {
      this.isSoldOut = true;
      return;
    }
    if (status !== 200) throw new Error(text);
    this.bodies.set(reference, isUsedUp ? body : withCode);
    this.acknowledged.set(reference, payload);
  }

  private final(body: object): Promise<ApiResponse<ScentOrder>> {
    return until(
      'an order has its response',
      async () => {
        const response = await orderScents(this.partner[this.environment], body);
        return response.status < 500 && !PASSING.includes(response.state) && response;
      },
      PATIENCE_MS,
    );
  }

  /** What is not as it must be once nothing moves: the same response again, the shelf, the code, and one order for each checkout. */
  async check(): Promise<string[]> {
    const faults = [...this.faults];
    for (const [reference, before] of this.acknowledged) {
      const { status, payload } = await this.final(this.bodies.get(reference) ?? {});
      const isSame =
        status === 200 &&
        payload.id === before.id &&
        payload.totalAmountWithVat === before.totalAmountWithVat;
      if (!isSame) faults.push(`${reference} has another response`);
    }
    const books = await readScentBooks(this.partner.id, this.environment, this.partner[this.environment]);
    const sold = books.orders.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0);
    const { stock } = await this.shelf.read(this.variantId);
    const level = stock.find(({ environment }) => environment === this.environment);
    const redeemed = books.orders.filter(({ discountCode }) => discountCode !== null).length;
    const compare = (what: string, is: unknown, must: unknown): void => {
      if (is !== must) faults.push(`${this.environment}: ${what}: ${String(is)} in place of ${String(must)}`);
    };
    compare('orders', books.orders.length, this.acknowledged.size);
    compare('carts that were checked out', books.committedCarts, books.orders.length);
    compare('units on hand', level?.stockOnHand, STOCK - sold);
    compare('said to be sold out before it was', this.isSoldOut && sold < STOCK, false);
    compare('units reserved', level?.stockReserved, 0);
    compare('redemptions of the code', books.redemptions, redeemed);
    compare('redemptions over the cap', redeemed > CAP, false);
    compare('slots of the code in the air', books.pendingSlots, 0);
    compare('checkouts neither committed nor cancelled', books.begunCheckouts, 0);
    compare('carts that an order holds', books.frozenCarts, 0);
    compare('the wallet’s row', books.wallet.posted, books.wallet.entries);
    compare('money held', Number(books.wallet.held), 0);
    return faults;
  }

  get orders(): number {
    return this.acknowledged.size;
  }
}
