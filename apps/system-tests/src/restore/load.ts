import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../clients/response';
import { halalas, newEsim, newTopup } from '../clients/bodies';
import type { TestPartner } from '../clients/operator-client';
import type { PartnerClient } from '../clients/partner-client';
import { addToCart, newScentOrder, readCart, type ScentOrder, type Shelf } from '../clients/scents';
import type { VendorOrder } from '../clients/resources';

/** What a partner keeps of one order it placed: enough to send it again. */
export interface Placed {
  readonly partner: number;
  readonly product: 'Topup' | 'Esim' | 'Scent';
  readonly reference: string;
  readonly body: object;
  /** Of a scent order: the customer whose cart it is, and what was in it. */
  readonly cart?: { readonly customerRef: string; readonly variantId: string };
  /** The first response that was final. */
  response?: Acknowledged;
  /** On the clock of this machine. */
  respondedAt?: number;
}

/** What a response promised. */
export interface Acknowledged {
  readonly orderId: string;
  readonly orderGlobalId: string;
  readonly status: string;
  /** What it took from the wallet, less commission, in halalas. */
  readonly net: number;
}

const PATHS = { Topup: '/orders/topup', Esim: '/orders/esim', Scent: '/orders/scent' } as const;

/** Sends an order, for the first time or again; a scent order's cart is filled where it is empty. */
export async function sendOrder(client: PartnerClient, placed: Placed): Promise<ApiResponse<unknown>> {
  const response = await client.call<unknown>(PATHS[placed.product], { body: placed.body });
  if (placed.cart && response.state === 'BUSINESS_CART_EMPTY') {
    const cart = await readCart(client, placed.cart.customerRef);
    if (cart.items.length === 0) await addToCart(client, placed.cart.variantId, 1, placed.cart.customerRef);
    return client.call<unknown>(PATHS[placed.product], { body: placed.body });
  }
  return response;
}

/** Reads an order out of a success. */
export function acknowledged(product: Placed['product'], payload: unknown): Acknowledged {
  if (product === 'Scent') {
    const { id, orderGlobalId, status, totalAmountWithVat, totalCommissionWithVat } =
      payload as ScentOrder & {
        totalAmountWithVat: number;
        totalCommissionWithVat: number;
      };
    const net = halalas(totalAmountWithVat) - halalas(totalCommissionWithVat);
    return { orderId: id, orderGlobalId, status, net };
  }
  const { orderId, orderGlobalId, status, amount } = payload as VendorOrder;
  return { orderId, orderGlobalId, status, net: status === 'Failed' ? 0 : halalas(amount) };
}

/** Has plenty of four variants on the shelf, and returns their ids. */
export async function stockUp(shelf: Shelf): Promise<string[]> {
  const variants = (await shelf.onOffer()).slice(0, 4);
  for (const { id } of variants) await shelf.set(id, { stockOnHand: 100_000 });
  return variants.map(({ id }) => id);
}

/** Partners that order until they are stopped; `restMs` lies between two orders of a client. */
export class Load {
  readonly placed: Placed[] = [];
  private isOver = false;
  private readonly workers: Promise<void>[];

  constructor(
    private readonly partners: readonly TestPartner[],
    private readonly variants: readonly string[],
    clients: number,
    private readonly restMs = 0,
  ) {
    this.workers = Array.from({ length: clients }, (_, at) => this.work(at));
  }

  get acknowledgedOrders(): readonly Placed[] {
    return this.placed.filter(({ response }) => response !== undefined);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.workers);
  }

  private async work(at: number): Promise<void> {
    for (let n = at; !this.isOver; n += 1) {
      const placed = this.next(at % this.partners.length, n);
      this.placed.push(placed);
      await this.send(placed);
      if (this.restMs > 0) await pause(this.restMs);
    }
  }

  private next(partner: number, n: number): Placed {
    const reference = `drill-${randomUUID()}`;
    if (n % 5 === 4) {
      const cart = {
        customerRef: reference.slice(0, 40),
        variantId: this.variants[n % this.variants.length] ?? '',
      };
      const body = newScentOrder({ externalReference: reference, customerRef: cart.customerRef });
      return { partner, product: 'Scent', reference, body, cart };
    }
    if (n % 5 === 2)
      return { partner, product: 'Esim', reference, body: newEsim({ externalReference: reference }) };
    const amount = 5 + (n % 40);
    return { partner, product: 'Topup', reference, body: newTopup({ externalReference: reference, amount }) };
  }

  /** One try: what has no response when the disaster comes is sent again after it. */
  private async send(placed: Placed): Promise<void> {
    const client = this.partners[placed.partner]?.live;
    if (!client) return;
    const startedAt = performance.now();
    try {
      if (placed.cart) await addToCart(client, placed.cart.variantId, 1, placed.cart.customerRef);
      const response = await sendOrder(client, placed);
      if (response.status !== 200) throw new Error(response.text);
      placed.respondedAt = Date.now();
      placed.response = acknowledged(placed.product, response.payload);
    } catch (error) {
      if (!this.isOver && !(error instanceof TypeError)) this.faults.push(String(error));
      await pause(50);
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
    }
  }

  /** The longest that an order's response took, or to find that nobody responds. */
  slowestMs = 0;

  /** Responses that were neither a success nor a broken connection, for the report. */
  readonly faults: string[] = [];
}
