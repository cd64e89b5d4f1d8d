import type { Schemas } from '../api/client';
import type { Column } from '../parts/data-table';
import { IdText } from '../parts/id-text';
import { OrderLink } from '../parts/partner-link';
import { NONE } from '../words/formats';
import type { Speech } from '../words/words';

type Line = Schemas['LedgerLine'];

/** A product's prefix and a ULID; deposits have a key of somebody's own. */
const ORDER_ID = /^[A-Z]{2}-[0-9A-HJKMNP-TV-Z]{26}$/;

/** What a list of a wallet's lines can show. */
export const transactionColumns = ({ words, formats }: Speech): readonly Column<Line>[] => [
  { id: 'timestamp', title: words.order.when, cell: ({ timestamp }) => formats.moment(timestamp) },
  {
    id: 'referenceType',
    title: words.order.kind,
    cell: ({ referenceType }) => words.order.movements[referenceType],
  },
  {
    id: 'referenceId',
    title: words.wallet.reference,
    cell: ({ referenceId }) =>
      ORDER_ID.test(referenceId) ? <OrderLink id={referenceId} /> : <bdi>{referenceId}</bdi>,
  },
  {
    id: 'amount',
    title: words.orders.amount,
    isNumber: true,
    cell: ({ amount, transactionType }) => formats.money(transactionType === 'Debit' ? -amount : amount),
  },
  {
    id: 'balance',
    title: words.order.balance,
    isNumber: true,
    cell: ({ balanceAfter }) => formats.money(balanceAfter),
  },
  { id: 'notes', title: words.wallet.notes, cell: ({ notes }) => <bdi>{notes}</bdi> },
  {
    id: 'transactionId',
    title: words.order.transaction,
    isExtra: true,
    cell: ({ transactionId }) => <IdText id={String(transactionId)} />,
  },
  {
    id: 'operator',
    title: words.order.by,
    cell: ({ operator, approvedBy }) => [operator, approvedBy].filter(Boolean).join(' + ') || NONE,
  },
];
