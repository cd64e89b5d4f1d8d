import { readBooks } from '../money-check';
import { reconcile } from '../reconcile';
import { untilOrdersQuiet } from '../scale/quiet';
import type { Arena } from './arena';
import { lineOf } from './verdict';
import type { Line } from './verdict';

/** The books, and a line that failed where they cannot be read. */
export const bookLines = (arena: Arena): Promise<Line[]> =>
  readBookLines(arena).catch((error: unknown) => [
    lineOf('the books', 'cannot be read', 'readable', [String(error)]),
  ]);

/** The buyer's orders, charges, vendor's journal and ledger, and the platform's own comparison, once all is quiet. */
async function readBookLines({ buyer, operator }: Arena): Promise<Line[]> {
  await untilOrdersQuiet();
  const books = await readBooks(buyer.sandbox, 'sandbox');
  const { balance, available, credits, debits } = books;
  const faults = [
    ...books.openOrders.map((id) => `${id} is open`),
    ...books.uncaptured.map((id) => `${id}: order and charges disagree`),
    ...books.undelivered.map((id) => `${id}: order and vendor disagree`),
    ...(books.brokenLines > 0 ? [`${books.brokenLines} ledger lines do not follow from the one before`] : []),
    ...(available === balance ? [] : [`${balance - available} halalas are held for nothing`]),
    ...(credits - debits === balance ? [] : [`credits ${credits} less debits ${debits} are not ${balance}`]),
  ];
  const records = (await reconcile(operator)).faults;
  const figure = `${(books.completedOrders / 100).toFixed(2)} SAR of orders`;
  return [
    lineOf('orders, charges, vendor and ledger', figure, 'equal', faults),
    lineOf('records of the services', `${records.length} differences`, 'none', records),
  ];
}
