import { CertificationStep, EvidenceType, SightingKind } from '@reseller/contracts';
import { sight, type Outcome, type Shows, type Sight } from './sight';

const { REFUSAL_MET, PENDING_ORDER_FOLLOWED, LOST_RESPONSE_REPEATED } = CertificationStep;
const { ORDER, REQUEST } = EvidenceType;
const { WHOLE, FIRST, SECOND } = SightingKind;

interface Sold {
  readonly step: CertificationStep;
  /** As reads of every product name it; those of one product do not. */
  readonly productType: string;
  readonly statuses: ReadonlySet<string>;
}

/** When an order of a product is shown to be sold. */
const SOLD: readonly Sold[] = [
  { step: CertificationStep.TOPUP_ORDER, productType: 'Topup', statuses: new Set(['Completed']) },
  { step: CertificationStep.ESIM_ORDER, productType: 'Esim', statuses: new Set(['Completed']) },
  // Paid; what comes then is the warehouse's.
  {
    step: CertificationStep.SCENT_ORDER,
    productType: 'Scent',
    statuses: new Set(['Processing', 'PartiallyDelivered', 'Completed']),
  },
];
const UNDER_WAY: ReadonlySet<string> = new Set(['Pending', 'Processing']);
const ENDED: ReadonlySet<string> = new Set(['Completed', 'Failed', 'Cancelled']);

interface SeenOrder {
  readonly orderGlobalId: string;
  readonly status: string;
  readonly productType?: string;
}

/**
 * What a create of a product's orders shows: an order, a refusal, or a response that was lost and then repeated. One that made the order
 * is no second half of anything: as a rule it is all that ever happens to an order, and would leave two rows that nothing meets.
 */
export const showsCreated =
  (step: CertificationStep): Shows =>
  (outcome) => {
    const { refusal, payload, isNew, isLost, requestId } = outcome;
    if (refusal)
      return refusal.startsWith('BUSINESS_') && !isLost
        ? [sight(REFUSAL_MET, WHOLE, REQUEST, requestId)]
        : [];
    const [order] = ordersOf(payload);
    if (!order) return [];
    const half = sight(LOST_RESPONSE_REPEATED, isLost ? FIRST : SECOND, ORDER, order.orderGlobalId);
    const seen = isLost ? [half] : [half, ...showsOrders(step)(outcome)];
    return isNew ? seen.filter(({ kind }) => kind !== SECOND) : seen;
  };

/** What reading orders shows, one or a page of them: with a step of the product that it is about, else of each order's own. */
export const showsOrders =
  (step?: CertificationStep): Shows =>
  ({ payload, isLost }: Outcome) =>
    isLost || payload === undefined ? [] : ordersOf(payload).flatMap((order) => ofOrder(order, step));

function ofOrder(order: SeenOrder, step: CertificationStep | undefined): Sight[] {
  const { orderGlobalId: id, status, productType } = order;
  const seen: Sight[] = [];
  const sold = SOLD.find((one) => (step ? one.step === step : one.productType === productType));
  if (sold?.statuses.has(status)) seen.push(sight(sold.step, WHOLE, ORDER, id));
  if (status === 'Failed') seen.push(sight(REFUSAL_MET, WHOLE, ORDER, id));
  if (UNDER_WAY.has(status)) seen.push(sight(PENDING_ORDER_FOLLOWED, FIRST, ORDER, id));
  if (ENDED.has(status)) seen.push(sight(PENDING_ORDER_FOLLOWED, SECOND, ORDER, id));
  return seen;
}

/** What a page of the feed shows: the ends of orders. That one is under way its reader learns too late. */
export const showsEvents: Shows = ({ payload, isLost }) =>
  isLost || payload === undefined
    ? []
    : (payload as { items: { data: Partial<SeenOrder> }[] }).items
        .map(({ data }) => data)
        .filter(isOrder)
        .filter(({ status }) => ENDED.has(status))
        .map(({ orderGlobalId }) => sight(PENDING_ORDER_FOLLOWED, SECOND, ORDER, orderGlobalId));

function ordersOf(payload: unknown): SeenOrder[] {
  const { items } = payload as { items?: unknown };
  return (Array.isArray(items) ? items : [payload]).filter(isOrder);
}

const isOrder = (one: unknown): one is SeenOrder => {
  const { orderGlobalId, status } = (one ?? {}) as Partial<SeenOrder>;
  return typeof orderGlobalId === 'string' && typeof status === 'string';
};
