import type { Environment, FundsServiceService } from '@reseller/contracts';
import { isAppError } from '@reseller/errors';
import { environmentOf, type CallContext, type PartnerScope, type RpcClient } from '@reseller/rpc';
import type { DisplayRate, Order } from '../../order/domain/order';

/** What finance says of a wallet before an order is made. */
export interface FundsCheck {
  readonly availableBalance: string;
  readonly displayRate: DisplayRate | null;
}

/** The money side of an order; every change is idempotent by the order's global id. Throws what finance throws. */
export interface Funds {
  check(scope: PartnerScope, call: CallContext): Promise<FundsCheck>;
  reserve(order: Order, call: CallContext): Promise<void>;
  capture(order: Order, call: CallContext): Promise<void>;
  release(order: Order, call: CallContext): Promise<void>;
  refund(order: Order, call: CallContext): Promise<void>;
}

/** Finance by gRPC; each call gets a response or SERVICE_UNAVAILABLE within `deadlineMs`, and before the call's own deadline. */
export function createFunds(client: RpcClient<typeof FundsServiceService>, deadlineMs: number): Funds {
  const within = { deadlineMs };
  return {
    async check(scope, call) {
      const request = { partnerId: scope.partnerId, environment: environmentOf(scope.environment) };
      const { availableBalance, displayRate } = await client.checkFunds(request, call, within);
      return { availableBalance, displayRate: displayRate ?? null };
    },
    async reserve(order, call) {
      const { amount, globalId: orderGlobalId } = order;
      // The saga is on record already, so only the order's outcome ends the hold (spec §3.5).
      const request = { ...reservationOf(order), amount, orderGlobalId, pinned: true };
      await client.reserveFunds(request, call, within);
    },
    async capture(order, call) {
      const request = { ...reservationOf(order), amount: order.amount, notes: '' };
      await client.captureFunds(request, call, within);
    },
    async release(order, call) {
      await client.releaseFunds(reservationOf(order), call, within);
    },
    async refund(order, call) {
      const operationKey = `reverse:${order.globalId}`;
      const request = { ...reservationOf(order), operationKey, amount: order.amount, notes: '' };
      await client.refundFunds(request, call, within);
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
    environment: environmentOf(order.environment),
  };
}
