import { CheckoutState, type KeyedCheckoutState } from '@reseller/contracts';
import { environmentOf, type EnvironmentName } from '@reseller/rpc';
import type { PrismaClient } from '../generated/prisma/client';

const STATES: Readonly<Record<string, CheckoutState>> = {
  Begun: CheckoutState.BEGUN,
  Committed: CheckoutState.COMMITTED,
  Cancelled: CheckoutState.CANCELLED,
};

/** Reads where checkouts stand. */
export class CheckoutStateRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Of these keys, those that are known. */
  async list(keys: string[]): Promise<KeyedCheckoutState[]> {
    const rows = await this.prisma.checkout.findMany({
      where: { orderKey: { in: keys } },
      select: { orderKey: true, state: true, partnerId: true, environment: true },
    });
    return rows.map(({ orderKey, state, partnerId, environment }) => ({
      key: orderKey,
      state: STATES[state] ?? CheckoutState.UNSPECIFIED,
      partnerId,
      environment: environmentOf(environment as EnvironmentName),
    }));
  }

  /** Keys of checkouts that are begun or committed, in their order, after one ('' for the first). */
  async keys(after: string, limit: number): Promise<string[]> {
    const rows = await this.prisma.checkout.findMany({
      where: { orderKey: { gt: after }, state: { not: 'Cancelled' } },
      orderBy: { orderKey: 'asc' },
      select: { orderKey: true },
      take: limit,
    });
    return rows.map(({ orderKey }) => orderKey);
  }
}
