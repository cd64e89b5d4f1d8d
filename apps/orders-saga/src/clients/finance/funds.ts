import type { Environment, FundsServiceService, OperatorDecision } from '@reseller/contracts';
import { isAppError } from '@reseller/errors';
import { environmentOf, type CallContext, type PartnerScope, type RpcClient } from '@reseller/rpc';
import type { DisplayRate, Order } from '../../order/domain/order';
import { KnownWallets } from './known-wallets';

/** What finance says of a wallet before an order is made. */
interface FundsCheck {
  readonly availableBalance: string;
  readonly displayRate: DisplayRate | null;
}

/** A wallet that is there, and its display rate as it was with the last reservation. */
type KnownWallet = Pick<FundsCheck, 'displayRate'>;

/**
 * The money side of an order; every change is idempotent by the order's global id. `decidedBy` is the operator's decision that it
 * follows from, if any. Throws what finance throws.
 */
export interface Funds {
  check(scope: PartnerScope, call: CallContext): Promise<FundsCheck>;
  /** What is known of a wallet without a call, while its reservations succeed; undefined when it has to be checked. */
  recall(scope: PartnerScope): KnownWallet | undefined;
  /**
   * Returns the display rate of the moment; undefined where finance did not say one. `recipientHash` stands for whom the order is for,
   * where it is one whose orders of a day may be limited (spec §17.5).
   */
  reserve(order: Order, call: CallContext, recipientHash?: string): Promise<DisplayRate | null | undefined>;
  capture(order: Order, call: CallContext, decidedBy?: OperatorDecision): Promise<void>;
  release(order: Order, call: CallContext): Promise<void>;
  refund(order: Order, call: CallContext, decidedBy?: OperatorDecision): Promise<void>;
}

/** Finance by gRPC; each call gets a response or SERVICE_UNAVAILABLE within `deadlineMs`, and before the call's own deadline. */
export function createFunds(
  client: RpcClient<typeof FundsServiceService>,
  settings: { readonly deadlineMs: number; readonly checkAfterMs: number },
): Funds {
  const within = { deadlineMs: settings.deadlineMs };
  const known = new KnownWallets(settings.checkAfterMs);
  return {
    recall: (scope) => known.recall(scope),
    async check(scope, call) {
      const request = { partnerId: scope.partnerId, environment: environmentOf(scope.environment) };
      const { availableBalance, displayRate } = await client.checkFunds(request, call, within);
      return { availableBalance, displayRate: displayRate ?? null };
    },
    async reserve(order, call, recipientHash) {
      const { amount, globalId: orderGlobalId, submittedAt } = order;
      // The saga is on record already, so only the order's outcome ends the hold (spec §3.5).
      const request = {
        ...reservationOf(order),
        amount,
        orderGlobalId,
        pinned: true,
        submittedAt,
        recipientHash,
      };
      try {
        const { hasDisplayRate, displayRate } = await client.reserveFunds(request, call, within);
        const rate = hasDisplayRate ? (displayRate ?? null) : undefined;
        known.reserved(order, rate);
        return rate;
      } catch (error) {
        known.failed(order, error);
        throw error;
      }
    },
    async capture(order, call, decidedBy) {
      const request = { ...reservationOf(order), amount: order.amount, notes: notesOf(order), decidedBy };
      await client.captureFunds(request, call, within);
    },
    async release(order, call) {
      await client.releaseFunds(reservationOf(order), call, within);
    },
    async refund(order, call, decidedBy) {
      const operationKey = `reverse:${order.globalId}`;
      const { amount } = order;
      const named = { ...reservationOf(order), operationKey, amount, notes: notesOf(order) };
      await client.refundFunds({ ...named, decidedBy }, call, within);
    },
  };
}

/** Whether finance refused for a reason of the wallet's: nothing was set aside, and the partner hears why. */
export function isFundsRefusal(error: unknown): boolean {
  return isAppError(error) && (error.code.startsWith('BUSINESS_') || error.code === 'NOT_FOUND_WALLET');
}

/** What every ledger line that an order causes says to its partner (spec §3.6). */
export const notesOf = ({ externalReference }: Order): string => externalReference;

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
