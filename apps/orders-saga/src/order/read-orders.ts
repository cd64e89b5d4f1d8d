import type { OrderStatus, PageInfo, PageRequest } from '@reseller/contracts';
import { AppError, type ErrorCode } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { Order, Product } from './domain/order';
import { fromStatus } from './order.mapper';
import type { OrderRepository } from './order.repository';
import { scopeOf } from './order-scope';

/** What tells the orders of one product from those of another when they are read. */
export interface ProductView<M> {
  readonly product: Product;
  readonly notFound: ErrorCode;
  readonly toMessage: (order: Order) => M;
}

interface ListRequest {
  readonly page: PageRequest | undefined;
  readonly status: OrderStatus;
  readonly fromAt: Date | undefined;
  readonly toAt: Date | undefined;
}

/** Reads the caller's own orders of one product; what is not there is the view's `notFound`. */
export class ProductOrders<M> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly view: ProductView<M>,
  ) {}

  async get({ orderId }: { orderId: string }, call: CallContext): Promise<{ order: M }> {
    return this.found(await this.orders.findOwn(scopeOf(call), this.view.product, orderId));
  }

  async getByReference(
    { externalReference }: { externalReference: string },
    call: CallContext,
  ): Promise<{ order: M }> {
    return this.found(await this.orders.findByReference(scopeOf(call), this.view.product, externalReference));
  }

  /** Newest first by submission. */
  async list(
    { page, status, fromAt, toAt }: ListRequest,
    call: CallContext,
  ): Promise<{ orders: M[]; page: PageInfo }> {
    const { partnerId, environment } = scopeOf(call);
    const own = { partnerId, environment, product: this.view.product };
    const list = await this.orders.list({ ...own, status: fromStatus(status), fromAt, toAt }, page);
    return { orders: list.orders.map(this.view.toMessage), page: list.page };
  }

  private found(order: Order | undefined): { order: M } {
    if (!order) throw new AppError(this.view.notFound);
    return { order: this.view.toMessage(order) };
  }
}
