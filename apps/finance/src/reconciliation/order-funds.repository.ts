import { FundsState, type OrderFunds } from '@reseller/contracts';
import type { PrismaClient } from '../generated/prisma/client';

const STATES: Readonly<Record<string, FundsState>> = {
  active: FundsState.HELD,
  captured: FundsState.CHARGED,
  released: FundsState.ENDED,
  expired: FundsState.ENDED,
};

/** Reads reservations by the orders they are for. */
export class OrderFundsRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Of these keys, those that are known. */
  async list(keys: readonly string[]): Promise<OrderFunds[]> {
    const reservations = await this.prisma.reservation.findMany({
      where: { opKey: { in: [...keys] } },
      // Never expires_at: it may be infinity, which no Date can hold.
      select: { opKey: true, state: true, amount: true, captured: true, refunded: true },
    });
    return reservations.map(({ opKey, state, amount, captured, refunded }) => ({
      key: opKey,
      state: STATES[state] ?? FundsState.UNSPECIFIED,
      amount: amount.toFixed(2),
      captured: captured.toFixed(2),
      refunded: refunded.toFixed(2),
    }));
  }

  /** Keys that hold or were charged, in their order, after one ('' for the first). */
  async fundedKeys(after: string, limit: number): Promise<string[]> {
    const reservations = await this.prisma.reservation.findMany({
      where: { opKey: { gt: after }, state: { in: ['active', 'captured'] } },
      orderBy: { opKey: 'asc' },
      take: limit,
      select: { opKey: true },
    });
    return reservations.map(({ opKey }) => opKey);
  }
}
