import type { Patience } from '@reseller/database';
import type { Ledger } from '../ledger/create-ledger';
import { resultOf } from '../ledger/domain/refusal-error';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { OrderSettlement } from './domain/settlement';

/** When an order was charged, which is its tax point (spec §7.4), and the wallet's balance then. */
interface Settled {
  readonly settledAt: Date;
  readonly balanceAfter: string;
}

/**
 * Captures an order's hold for the sum of its lines and credits their commission, once. Throws NOT_FOUND_WALLET,
 * CONFLICT_ORDER_STATE (no hold of that much) and CONFLICT_IDEMPOTENCY_KEY_REUSED.
 */
export async function settleOrder(
  ledger: Ledger,
  wallet: WalletRef,
  order: OrderSettlement,
  patience?: Patience,
): Promise<Settled> {
  const { occurredAt, balanceAfter } = resultOf(
    await ledger.submit(wallet, { kind: 'settle', ...order }, patience),
  );
  return { settledAt: occurredAt, balanceAfter };
}
