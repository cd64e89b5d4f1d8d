import {
  FundsServiceService,
  FundsState,
  OrderFundsServiceService,
  SettlementServiceService,
  type RefundedUnits,
  type SettlementLine,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { decimal, toFixedString } from '@reseller/money';
import { defineRpc, type RpcHandlers, type RpcService } from '@reseller/rpc';
import { FakeService } from './fake-service';

interface Reservation {
  readonly amount: string;
  state: 'held' | 'captured' | 'released';
  refunded: boolean;
}

/** What one operation key gave back. */
export interface Refund {
  readonly lines: readonly RefundedUnits[];
  readonly refundedAmount: string;
  readonly clawedBackAmount: string;
}

interface Settlement {
  readonly settledAt: Date;
  readonly lines: readonly SettlementLine[];
  readonly refunds: Map<string, Refund>;
}

/** An exact model of one wallet behind the real FundsService contract; `calls` counts what arrived. */
export class FakeFinance extends FakeService {
  protected readonly provider = 'finance';
  readonly reservations = new Map<string, Reservation>();
  readonly settlements = new Map<string, Settlement>();

  constructor(
    private readonly deposit = '1000.00',
    private readonly displayRate?: { currency: string; rate: string },
  ) {
    super();
  }

  /** What could be spent. */
  available(): string {
    const taken = [...this.reservations.values()]
      .filter(({ state, refunded }) => state === 'held' || (state === 'captured' && !refunded))
      .reduce((sum, { amount }) => sum.plus(amount), decimal(0));
    return toFixedString(decimal(this.deposit).minus(taken), 2);
  }

  count(state: Reservation['state']): number {
    return [...this.reservations.values()].filter((one) => one.state === state).length;
  }

  /** How many charges were posted and not refunded. */
  charges(): number {
    return [...this.reservations.values()].filter((one) => one.state === 'captured' && !one.refunded).length;
  }

  protected services(): RpcService[] {
    return [this.funds(), this.settlementService(), this.orderFunds()];
  }

  private orderFunds(): RpcService {
    const states = { held: FundsState.HELD, captured: FundsState.CHARGED, released: FundsState.ENDED };
    return defineRpc(OrderFundsServiceService, {
      listOrderFunds: async ({ keys }) => ({
        funds: keys.flatMap((key) => {
          const known = this.reservations.get(key);
          if (!known) return [];
          const captured = known.state === 'captured' ? known.amount : '0.00';
          const refunded = known.refunded ? known.amount : '0.00';
          return [{ key, state: states[known.state], amount: known.amount, captured, refunded }];
        }),
      }),
      listFundedKeys: async ({ afterKey, limit }) => ({
        keys: [...this.reservations]
          .filter(([key, { state }]) => key > afterKey && state !== 'released')
          .map(([key]) => key)
          .sort()
          .slice(0, limit),
      }),
    });
  }

  private funds(): RpcService {
    const handlers: RpcHandlers<typeof FundsServiceService> = {
      checkFunds: async () => ({
        currency: 'SAR',
        availableBalance: this.available(),
        displayRate: this.displayRate,
      }),
      reserveFunds: async ({ reservationKey, amount }) => {
        const known = this.reservations.get(reservationKey);
        if (known && known.state !== 'held') throw new AppError('CONFLICT_ORDER_STATE');
        if (!known) {
          if (decimal(this.available()).lessThan(amount)) throw new AppError('BUSINESS_INSUFFICIENT_BALANCE');
          this.reservations.set(reservationKey, { amount, state: 'held', refunded: false });
        }
        return { availableBalance: this.available() };
      },
      pinReservation: async () => ({}),
      captureFunds: async ({ reservationKey }) => {
        const known = this.reservations.get(reservationKey);
        if (!known || known.state === 'released') throw new AppError('CONFLICT_ORDER_STATE');
        known.state = 'captured';
        return { transactionId: '1', balanceAfter: this.available() };
      },
      releaseFunds: async ({ reservationKey }) => {
        const known = this.reservations.get(reservationKey);
        if (known?.state === 'captured') throw new AppError('CONFLICT_ORDER_STATE');
        if (known) known.state = 'released';
        else this.reservations.set(reservationKey, { amount: '0.00', state: 'released', refunded: false });
        return {};
      },
      refundFunds: async ({ reservationKey }) => {
        const known = this.reservations.get(reservationKey);
        if (known?.state !== 'captured') throw new AppError('CONFLICT_ORDER_STATE');
        known.refunded = true;
        return { transactionId: '2', balanceAfter: this.available() };
      },
    };
    return defineRpc(FundsServiceService, handlers);
  }

  /** What an order was given back, by operation key. */
  refundsOf(orderGlobalId: string): Map<string, Refund> {
    return this.settlements.get(orderGlobalId)?.refunds ?? new Map<string, Refund>();
  }

  // A settled order's charge counts in full in `available`; what it was refunded is in `refundsOf`.
  private settlementService(): RpcService {
    return defineRpc(SettlementServiceService, {
      settleOrder: async ({ reservationKey, lines }) => {
        const known = this.reservations.get(reservationKey);
        const settled = this.settlements.get(reservationKey);
        if (!settled) {
          const charge = lines.reduce(
            (sum, one) => sum.plus(one.goodsAmount).plus(one.goodsVatAmount),
            decimal(0),
          );
          if (charge.greaterThan(0) && known?.state !== 'held') throw new AppError('CONFLICT_ORDER_STATE');
          if (known) known.state = 'captured';
        }
        const settlement = settled ?? { settledAt: new Date(), lines, refunds: new Map() };
        this.settlements.set(reservationKey, settlement);
        return { settledAt: settlement.settledAt, balanceAfter: this.available() };
      },
      refundUnits: async ({ reservationKey, operationKey, lines }) => {
        const settlement = this.settlements.get(reservationKey);
        if (!settlement) throw new AppError('CONFLICT_ORDER_STATE');
        const known = settlement.refunds.get(operationKey);
        if (known && JSON.stringify(known.lines) !== JSON.stringify(lines)) {
          throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
        }
        const refund = known ?? giveBack(settlement, lines);
        settlement.refunds.set(operationKey, refund);
        return { refundedAt: new Date(), ...refund, lines: [] };
      },
    });
  }
}

type Figure = 'goodsAmount' | 'goodsVatAmount' | 'commissionAmount' | 'commissionVatAmount';

// Each figure of each line by cumulative difference, as SettlementService says.
function giveBack({ lines: settled, refunds }: Settlement, lines: readonly RefundedUnits[]): Refund {
  const before = (lineId: string): number =>
    [...refunds.values()]
      .flatMap((refund) => refund.lines)
      .filter((one) => one.lineId === lineId)
      .reduce((sum, { quantity }) => sum + quantity, 0);
  const total = (figures: readonly Figure[]): string => {
    const parts = lines.flatMap(({ lineId, quantity }) => {
      const line = settled.find((one) => one.lineId === lineId);
      const had = before(lineId);
      if (!line || had + quantity > line.quantity) throw new AppError('CONFLICT_ORDER_STATE');
      const share = (figure: Figure, units: number): string =>
        toFixedString(decimal(line[figure]).times(units).dividedBy(line.quantity), 2);
      return figures.map((figure) => decimal(share(figure, had + quantity)).minus(share(figure, had)));
    });
    return toFixedString(
      parts.reduce((sum, part) => sum.plus(part), decimal(0)),
      2,
    );
  };
  return {
    lines,
    refundedAmount: total(['goodsAmount', 'goodsVatAmount']),
    clawedBackAmount: total(['commissionAmount', 'commissionVatAmount']),
  };
}
