import { readBooks } from '../money-check';
import type { TestPartner } from '../clients/operator-client';
import { halalas } from '../clients/bodies';
import { until } from '../until';
import type { Sample } from './load';

const SETTLED_WITHIN_MS = 60_000;

/** What is wrong with a partner's books once nothing is running any more; empty when all is exact. */
export async function checkBooks(
  partner: TestPartner,
  deposit: number,
  samples: readonly Sample[],
): Promise<string[]> {
  const open = async (): Promise<number> => {
    const counts = await Promise.all(
      ['Pending', 'Processing'].map(async (status) => {
        const page = await partner.sandbox.call<{ pagination: { totalCount: number } }>(
          `/orders?status=${status}&pageSize=1`,
        );
        return page.payload.pagination.totalCount;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await until('no order is open', async () => (await open()) === 0, SETTLED_WITHIN_MS);
  const books = await readBooks(partner.sandbox, 'sandbox');
  const left = halalas(deposit) - books.debits;
  const faults: string[] = [];
  const hold = (isRight: boolean, what: string): void => void (isRight || faults.push(what));
  hold(books.debits === books.completedOrders, `debits ${books.debits}, orders ${books.completedOrders}`);
  hold(books.balance === left, `balance ${books.balance} instead of ${left}`);
  hold(books.available === left, `available ${books.available} instead of ${left}`);
  hold(books.brokenLines === 0, `${books.brokenLines} ledger lines do not follow from the ones before`);
  hold(books.uncaptured.length === 0, `charge and order differ: ${books.uncaptured.slice(0, 3).join(', ')}`);
  hold(
    books.undelivered.length === 0,
    `vendor and order differ: ${books.undelivered.slice(0, 3).join(', ')}`,
  );
  return [...faults, ...(await checkReferences(partner, samples))];
}

/** Every order that was acknowledged is there once, and none that was refused (spec §14.2). */
async function checkReferences(partner: TestPartner, samples: readonly Sample[]): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const { externalReference } of await partner.sandbox.allOrders())
    counts.set(externalReference, (counts.get(externalReference) ?? 0) + 1);
  const wrong = (outcome: Sample['outcome'], count: number): string[] =>
    samples
      .filter((one) => one.outcome === outcome && (counts.get(one.reference) ?? 0) !== count)
      .map(({ reference }) => reference);
  const [lost, written] = [wrong('done', 1), wrong('refused', 0)];
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged orders are not there once: ${lost[0]}`] : []),
    ...(written.length > 0 ? [`${written.length} refused orders were written: ${written[0]}`] : []),
  ];
}
