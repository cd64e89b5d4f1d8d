import type { PartnerClient } from './clients/partner-client';
import { halalas, sumOf } from './clients/bodies';
import type { EnvironmentName } from './platform/platform-file';
import { readVendorJournal } from './platform/vendor-journal';

/** The two sides of the books, for tests to compare; all money in minor units. */
interface Books {
  readonly completedOrders: number;
  readonly debits: number;
  readonly credits: number;
  readonly balance: number;
  readonly available: number;
  /** Ledger lines whose balanceAfter is not the previous one plus or minus their amount. */
  readonly brokenLines: number;
  /** Global ids with a debit but no completed order, or the other way round. */
  readonly uncaptured: readonly string[];
  /** Global ids delivered by the vendor but not completed, or the other way round. */
  readonly undelivered: readonly string[];
  readonly openOrders: readonly string[];
}

const OPEN = ['Pending', 'Processing'];
const CHARGED = ['Completed', 'Reversed'];

/** Reads one wallet, its orders and the vendor's journal; call it when nothing is running. */
export async function readBooks(partner: PartnerClient, environment: EnvironmentName): Promise<Books> {
  const [orders, lines, balance] = [
    await partner.allOrders(),
    await partner.transactions(),
    await partner.balance(),
  ];
  const journal = await readVendorJournal(
    environment,
    orders.map((order) => order.orderGlobalId),
  );
  const charged = orders.filter((order) => CHARGED.includes(order.status));
  const debits = lines.filter((line) => line.transactionType === 'Debit');
  const debited = debits.map((line) => line.referenceId);
  const delivered = [...journal.values()].filter((row) => row.isDelivered).map((row) => row.idempotencyKey);
  const chargedIds = charged.map((order) => order.orderGlobalId);
  return {
    completedOrders: sumOf(charged),
    debits: sumOf(debits),
    credits: sumOf(lines.filter((line) => line.transactionType === 'Credit')),
    balance: halalas(balance.currentBalance),
    available: halalas(balance.availableBalance),
    brokenLines: countBrokenLines([...lines].reverse()),
    uncaptured: difference(debited, chargedIds),
    undelivered: difference(delivered, chargedIds),
    openOrders: orders.filter((order) => OPEN.includes(order.status)).map((order) => order.orderGlobalId),
  };
}

/** What is in one list and not in the other, repeats counted. */
function difference(left: readonly string[], right: readonly string[]): string[] {
  const surplus = new Map<string, number>();
  for (const id of left) surplus.set(id, (surplus.get(id) ?? 0) + 1);
  for (const id of right) surplus.set(id, (surplus.get(id) ?? 0) - 1);
  return [...surplus].filter(([, count]) => count !== 0).map(([id]) => id);
}

function countBrokenLines(
  oldestFirst: readonly { transactionType: string; amount: number; balanceAfter: number }[],
): number {
  let balance = 0;
  let broken = 0;
  for (const line of oldestFirst) {
    balance += line.transactionType === 'Credit' ? halalas(line.amount) : -halalas(line.amount);
    if (balance !== halalas(line.balanceAfter)) broken += 1;
  }
  return broken;
}
