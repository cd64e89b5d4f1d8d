import type { ReconcileOrdersRequest } from '@reseller/contracts';
import { ALWAYS, isInOrder, type ReceivedFile } from '@reseller/http-edge';
import { productFilter } from '@reseller/presenters';
import { z } from 'zod';
import { queryDateTime } from '../../fields/request-fields';
import { productType } from '../orders/order.resource';
import { defineRoute } from '../route';
import { exampleReconciliation, presentReconciliation, reconciliation } from './reconciliation.resource';

const LARGEST_FILE_BYTES = 10 * 1024 * 1024;

const query = z
  .object({
    productType: productType.meta({ description: 'Of which product the orders are.' }),
    fromDate: queryDateTime('Submitted at or after this moment.'),
    toDate: queryDateTime('Submitted before this moment.'),
  })
  .refine(({ fromDate, toDate }) => isInOrder(fromDate, toDate), {
    ...ALWAYS,
    path: ['toDate'],
    error: 'must be later than fromDate',
  });

/** POST /api/v1/reconciliations */
export const createReconciliation = defineRoute({
  method: 'POST',
  path: '/api/v1/reconciliations',
  tag: 'Reconciliation',
  summary: 'Compare your record with ours',
  description:
    'Compares a CSV file of yours with the orders of one product that were submitted in a time. UTF-8 with a header row that names externalReference, ' +
    'amount and status in any order; other columns are passed over, and an empty status is not compared. Up to 100,000 rows and 10 MiB. ' +
    'Nothing of the file is kept but the differences, for 30 days.',
  query,
  file: { type: 'text/csv', limitBytes: LARGEST_FILE_BYTES },
  response: reconciliation,
  links: { getReconciliation: { id: 'reconciliationId' }, listDifferences: { id: 'reconciliationId' } },
  errors: ['BUSINESS_RESOURCE_LIMIT'],
  examples: {
    query: {
      productType: 'Topup',
      fromDate: exampleReconciliation.fromDate,
      toDate: exampleReconciliation.toDate,
    },
    file: 'externalReference,amount,status\nINV-2026-0042,25.00,Completed\nINV-2026-0043,10.00,\n',
    response: exampleReconciliation,
  },
  async handle({ query, file, call, clients }) {
    const about = {
      productType: productFilter(query.productType),
      fromAt: query.fromDate,
      toAt: query.toDate,
    };
    const { reconciliation: made } = await clients.reconciliations.reconcileOrders(
      messagesOf(about, file),
      call,
    );
    return presentReconciliation(made);
  },
});

/** The file in parts; the first message says with what it is compared, and how long the whole is. */
async function* messagesOf(
  about: Pick<ReconcileOrdersRequest, 'productType' | 'fromAt' | 'toAt'>,
  { blocks, bytes }: ReceivedFile = { blocks: [], bytes: 0 },
): AsyncGenerator<ReconcileOrdersRequest> {
  yield { ...about, filePart: Buffer.alloc(0), fileBytes: String(bytes) };
  // What was sent need not be kept any longer.
  for (let filePart = blocks.shift(); filePart; filePart = blocks.shift())
    yield { ...about, filePart, fileBytes: undefined };
}
