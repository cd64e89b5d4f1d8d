import type { Environment, FundsServiceService } from '@reseller/contracts';
import { isAppError } from '@reseller/errors';
import type { RpcClient } from '@reseller/rpc';
import type { DisplayRate, Order } from '../order/domain/order';
import { toEnvironment, type OrderScope } from '../order/order-scope';

/** What finance says of a wallet before an order is made. */
export interface FundsCheck {
  readonly availableBalance: string;
  readonly displayRate: DisplayRate | null;
}

/** The money side of an order; every change is idempotent by the order's global id. Throws what finance throws. */
export interface Funds {
  check(scope: OrderScope, requestId: string): Promise<FundsCheck>;
  reserve(order: Order, requestId: string): Promise<void>;
  capture(order: Order, requestId: string): Promise<void>;
  release(order: Order, requestId: string): Promise<void>;
  refund(order: Order, requestId: string): Promise<void>;
}

/** Finance by gRPC; each call gets an answer or SERVICE_UNAVAILABLE within `deadlineMs`. */
export function createFunds(client: RpcClient<typeof FundsServiceService>, deadlineMs: number): Funds {
  const within = { deadlineMs };
  return {
    async check(scope, requestId) {
      const request = { partnerId: scope.partnerId, environment: toEnvironment(scope.environment) };
      const { availableBalance, displayRate } = await client.checkFunds(request, { requestId }, within);
      return { availableBalance, displayRate: displayRate ?? null };
    },
    async reserve(order, requestId) {
      const { amount, globalId: orderGlobalId } = order;
      // The saga is on record already, so only the order's outcome ends the hold (decisions §3.5).
      const request = { ...reservationOf(order), amount, orderGlobalId, pinned: true };
      await client.reserveFunds(request, { requestId }, within);
    },
    async capture(order, requestId) {
      const request = { ...reservationOf(order), amount: order.amount, notes: '' };
      await client.captureFunds(request, { requestId }, within);
    },
    async release(order, requestId) {
      await client.releaseFunds(reservationOf(order), { requestId }, within);
    },
    async refund(order, requestId) {
      const operationKey = `reverse:${order.globalId}`;
      const request = { ...reservationOf(order), operationKey, amount: order.amount, notes: '' };
      await client.refundFunds(request, { requestId }, within);
    },
  };
}

/** Whether finance refused for a reason of the wallet's: nothing was set aside, and the partner hears why. */
export function isFundsRefusal(error: unknown): boolean {
  return isAppError(error) && (error.code.startsWith('BUSINESS_') || error.code === 'NOT_FOUND_WALLET');
}

function reservationOf(order: Order): {
  reservationKey: string;
  partnerId: string;
  environment: Environment;
} {
  return {
    reservationKey: order.globalId,
    partnerId: order.partnerId,
    environment: toEnvironment(order.environment),
  };
}
