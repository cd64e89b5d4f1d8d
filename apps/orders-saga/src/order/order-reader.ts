import type { OrderStatus, PageInfo, PageRequest } from '@reseller/contracts';
import { AppError, type ErrorCode } from '@reseller/errors';
import { partnerScopeOf, type CallContext } from '@reseller/rpc';
import type { Order } from './domain/order';
import { fromStatus } from './order.mapper';
import type { OrderRepository } from './order.repository';

interface ListRequest {
  readonly page: PageRequest | undefined;
  readonly status: OrderStatus;
  readonly fromAt: Date | undefined;
  readonly toAt: Date | undefined;
}

/** Reads the caller's own orders of one product; what is not there is `notFound`. */
export class OrderReader<M> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly product: string,
    private readonly notFound: ErrorCode,
    private readonly toMessage: (order: Order) => M,
  ) {}

  async get({ orderId }: { orderId: string }, call: CallContext): Promise<{ order: M }> {
    return this.found(await this.orders.findOwn(partnerScopeOf(call), this.product, orderId));
  }

  async getByReference(
    { externalReference }: { externalReference: string },
    call: CallContext,
  ): Promise<{ order: M }> {
    const scope = partnerScopeOf(call);
    return this.found(await this.orders.findByReference(scope, this.product, externalReference));
  }

  /** Newest first by submission. */
  async list(
    { page, status, fromAt, toAt }: ListRequest,
    call: CallContext,
  ): Promise<{ orders: M[]; page: PageInfo }> {
    const { partnerId, environment } = partnerScopeOf(call);
    const own = { partnerId, environment, product: this.product };
    const list = await this.orders.list({ ...own, status: fromStatus(status), fromAt, toAt }, page);
    return { orders: list.orders.map(this.toMessage), page: list.page };
  }

  private found(order: Order | undefined): { order: M } {
    if (!order) throw new AppError(this.notFound);
    return { order: this.toMessage(order) };
  }
}
