import { halalas } from '../clients/bodies';
import type { PartnerClient } from '../clients/partner-client';
import { readVendorJournal } from '../platform/vendor-journal';
import type { EnvironmentName } from '../platform/platform-file';
import type { Ending, VendorBehaviour } from './cells';

/** What the books say of the one order of a cell, once nothing moves any more; money in minor units. */
export interface CellOutcome {
  readonly orders: number;
  readonly status: string;
  readonly charges: number;
  readonly refunds: number;
  readonly deliveries: number;
  readonly held: number;
  readonly spent: number;
  /** Whether the first response is the one that comes now, to the last field. */
  readonly isRepeated: boolean;
}

/** Reads the books of a partner that made one order only; the vendor's journal is the vendor's own truth. */
export async function readOutcome(
  client: PartnerClient,
  environment: EnvironmentName,
  deposit: number,
): Promise<Omit<CellOutcome, 'isRepeated'>> {
  const [orders, lines, balance] = [
    await client.allOrders(),
    await client.transactions(),
    await client.balance(),
  ];
  const journal = await readVendorJournal(
    environment,
    orders.map((order) => order.orderGlobalId),
  );
  const count = (type: string, reference: string): number =>
    lines.filter((line) => line.transactionType === type && line.referenceType === reference).length;
  return {
    orders: orders.length,
    status: orders[0]?.status ?? 'none',
    charges: count('Debit', 'Order'),
    refunds: count('Credit', 'Refund'),
    deliveries: [...journal.values()].filter(({ isDelivered }) => isDelivered).length,
    held: halalas(balance.currentBalance) - halalas(balance.availableBalance),
    spent: halalas(deposit) - halalas(balance.currentBalance),
  };
}

/** What the books must say: exactly this, and not at least this. */
export function expectedOutcome(ends: Ending, vendor: VendorBehaviour, amount: number): CellOutcome {
  const isCharged = ends === 'Completed' || ends === 'Reversed';
  const isRefunded = ends === 'Reversed';
  return {
    orders: 1,
    status: ends,
    charges: isCharged ? 1 : 0,
    refunds: isRefunded ? 1 : 0,
    // Of an unknown order the vendor delivered nothing, whatever an operator makes of it.
    deliveries: isCharged && vendor !== 'unknown' ? 1 : 0,
    held: 0,
    spent: isCharged && !isRefunded ? halalas(amount) : 0,
    isRepeated: true,
  };
}

/** What is not as it must be, in words; empty when all is well. */
export function findFaults<T extends CellOutcome>(actual: T, expected: T): string[] {
  return (Object.keys(expected) as (keyof T & string)[])
    .filter((name) => actual[name] !== expected[name])
    .map((name) => `${name} is ${String(actual[name])}, not ${String(expected[name])}`);
}
