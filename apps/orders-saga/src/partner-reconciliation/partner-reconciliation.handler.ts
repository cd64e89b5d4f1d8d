import {
  ReconciliationDifferenceKind,
  type PartnerReconciliation,
  type PartnerReconciliationServiceService,
  type ReconcileOrdersRequest,
  type ReconciliationDifference,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, RequestCheck, type RpcHandlers } from '@reseller/rpc';
import { productOf, PRODUCTS } from '../products';
import type { Difference, DifferenceKind, ReconciledTime, Reconciliation } from './domain/reconciliation';
import {
  getReconciliation,
  listDifferences,
  reconcileOrders,
  type ReconciliationDeps,
} from './reconcile-orders';

const KINDS: Readonly<Record<DifferenceKind, ReconciliationDifferenceKind>> = {
  missingHere: ReconciliationDifferenceKind.MISSING_HERE,
  missingThere: ReconciliationDifferenceKind.MISSING_THERE,
  amountDiffers: ReconciliationDifferenceKind.AMOUNT_DIFFERS,
  statusDiffers: ReconciliationDifferenceKind.STATUS_DIFFERS,
};

/** What partners compare with us. */
export function createPartnerReconciliationHandlers(
  deps: ReconciliationDeps,
): RpcHandlers<typeof PartnerReconciliationServiceService> {
  return {
    async reconcileOrders(requests, call) {
      const scope = partnerScopeOf(call);
      const messages = requests[Symbol.asyncIterator]();
      const first = await messages.next();
      const time = timeOf(first.done ? undefined : first.value);
      const parts = first.done ? noParts() : partsOf(first.value, messages);
      return { reconciliation: toMessage(await reconcileOrders(deps, scope, time, parts)) };
    },
    async getPartnerReconciliation({ reconciliationId }, call) {
      const found = await getReconciliation(deps, partnerScopeOf(call), reconciliationId);
      return { reconciliation: toMessage(found) };
    },
    async listReconciliationDifferences({ reconciliationId, kind, page }, call) {
      const only = Object.entries(KINDS).find(([, message]) => message === kind)?.[0];
      const filter = { kind: only as DifferenceKind | undefined, page };
      const list = await listDifferences(deps, partnerScopeOf(call), reconciliationId, filter);
      return { differences: list.differences.map(toDifferenceMessage), page: list.page };
    },
  };
}

function timeOf(first: ReconcileOrdersRequest | undefined): ReconciledTime {
  const { productType, fromAt, toAt } = first ?? {};
  const check = new RequestCheck();
  const product = PRODUCTS.find(({ type }) => type === productType)?.name;
  if (!product) check.fault('productType', 'expected a product');
  if (!fromAt || !toAt || fromAt >= toAt) check.fault('toDate', 'must be later than fromDate');
  check.end();
  return { product: product ?? '', fromAt: fromAt ?? new Date(0), toAt: toAt ?? new Date(0) };
}

async function* noParts(): AsyncGenerator<Buffer> {}

/** The parts of the file; SERVICE_UNAVAILABLE when there are fewer bytes than the first message says: its sender broke off. */
async function* partsOf(
  first: ReconcileOrdersRequest,
  rest: AsyncIterator<ReconcileOrdersRequest>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  const take = ({ filePart }: ReconcileOrdersRequest): Buffer => {
    bytes += filePart.length;
    return Buffer.from(filePart.buffer, filePart.byteOffset, filePart.length);
  };
  yield take(first);
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield take(next.value);
  if (first.fileBytes !== undefined && Number(first.fileBytes) !== bytes)
    throw new AppError('SERVICE_UNAVAILABLE');
}

const toMessage = ({ id, product, differences, ...same }: Reconciliation): PartnerReconciliation => ({
  ...same,
  reconciliationId: id,
  productType: productOf(product).type,
  ...differences,
});

const toDifferenceMessage = ({
  kind,
  externalReference,
  theirs,
  ours,
}: Difference): ReconciliationDifference => ({
  kind: KINDS[kind],
  externalReference,
  row: theirs?.row,
  theirAmount: theirs?.amount,
  ourAmount: ours?.amount,
  theirStatus: theirs?.status ?? undefined,
  ourStatus: ours?.status,
  orderGlobalId: ours?.orderGlobalId,
});
