import { LockBatcher, query, type LockWait, type Patience, type Queryable } from '@reseller/database';
import { currentHeaders, type Headers } from '@reseller/telemetry';
import type { Pool } from 'pg';
import type { StoredProduct } from '../order/details-table';
import type { NewOrder, Order } from '../order/domain/order';
import type { OrderEvent } from '../order/order-events';
import { toOrder, type OrderRow } from '../order/order-row';
import { intentOf, type JournalEntry } from './domain/journal';
import type { Transition } from './domain/transition';
import { intentKeys, toLines } from './journal-lines';
import { LeaseRepository, type Grant, type Lessee } from './lease.repository';
import { inLockOrder } from './lock-order';
import * as sql from './saga.sql';

/** What a driver is to know of an order when it takes over. */
export interface SagaState {
  readonly order: Order;
  readonly journal: readonly JournalEntry[];
  /** When it was so, by the database's clock. */
  readonly readAt: Date;
}

/** A transition of one order, under the lease of its epoch. */
export interface Advance extends Transition {
  /** As it was last read. */
  readonly order: Pick<Order, 'id' | 'status' | 'details'> & Partial<Pick<Order, 'nextPollAt'>>;
  readonly epoch: string;
  /** Where a suspended order waits. */
  readonly lane?: string | undefined;
  readonly event?: OrderEvent | undefined;
}

/** With the headers of the work that asks for it, taken before it shares a statement with others' work. */
type InWork<T> = T & { readonly headers: Headers };

/** Whose the leases of new orders are, and for how long. */
interface Lease {
  readonly owner: string;
  readonly ms: number;
}

// Two statements of a kind at once keep the database busy while the next batch gathers.
const BATCHES = {
  concurrency: 2,
  maxBatch: 64,
};

/**
 * Writes orders, sagas and their journal; every write after the first is fenced by the lease's epoch. What different
 * orders write at the same time goes out in one statement.
 */
export class SagaRepository extends LeaseRepository {
  private readonly beginnings: LockBatcher<InWork<NewOrder>, Order | undefined>;
  private readonly moves: LockBatcher<InWork<Advance>, Order | undefined>;

  constructor(
    pool: Pool,
    lease: Lease,
    private readonly products: readonly StoredProduct[],
  ) {
    super(pool);
    this.beginnings = new LockBatcher({
      ...BATCHES,
      run: (orders, wait) => this.beginTogether(orders, lease, wait),
    });
    this.moves = new LockBatcher({
      ...BATCHES,
      // What is on record goes on, however many there are.
      maxWaiting: Infinity,
      run: (moves, wait) => this.writeMoves(pool, moves, wait),
    });
  }

  /** Makes order, saga and first intent at once; undefined when the reference is taken. Nothing once patience ended. */
  begin(order: NewOrder, patience?: Patience): Promise<Order | undefined> {
    return this.beginnings.submit({ ...order, headers: currentHeaders() }, patience);
  }

  /** Records a move; returns the order as it stands now, or undefined when the lease was lost. */
  advance(move: Advance): Promise<Order | undefined> {
    return this.moves.submit({ ...move, headers: currentHeaders() });
  }

  /**
   * Takes an order for an operator from whoever has it and records the move that `decide` makes of it as it stands then, with what
   * `write` writes, in one transaction: when anything of that throws, the order stays as it was and whose it was. Undefined when
   * it has another status by now, or a decision of it is under way.
   */
  decide(
    order: Pick<Order, 'id' | 'status'>,
    lessee: Lessee,
    decide: (state: SagaState, epoch: string) => Advance,
    write: (tx: Queryable) => Promise<void> = async () => undefined,
  ): Promise<Grant | undefined> {
    return this.whileUndecided(order, async (tx) => {
      const grant = await this.takeForOperator(tx, order.id, lessee);
      // Whoever drove it may have come further since the decision was made: from here on nobody does.
      const state = await this.load(order.id, tx);
      if (!grant || !state) return undefined;
      const move = { ...decide(state, grant.epoch), headers: currentHeaders() };
      if (!(await this.writeMoves(tx, [move], 'patiently'))[0])
        throw new Error('an order that was just taken did not move');
      await write(tx);
      return grant;
    });
  }

  private async beginTogether(
    orders: readonly InWork<NewOrder>[],
    { owner, ms }: Lease,
    wait: LockWait,
  ): Promise<(Order | undefined)[]> {
    const products = this.products.filter(({ name }) => orders.some((one) => one.product === name));
    const statement = sql.beginOf(products, wait);
    const values = [JSON.stringify(inLockOrder(orders, referenceKey).map(newOrderRow)), owner, ms];
    const found = await query<OrderRow>(this.pool, statement, values);
    const rows = new Map(found.map((row) => [row.id, row]));
    return orders.map(({ id, details }) => {
      const row = rows.get(id);
      return row && toOrder({ ...row, details });
    });
  }

  private async writeMoves(
    db: Queryable,
    moves: readonly InWork<Advance>[],
    wait: LockWait,
  ): Promise<(Order | undefined)[]> {
    const learned = moves.some(({ change }) => change?.details) ? this.products : [];
    const statement = sql.advanceOf(learned, wait);
    const found = await query<OrderRow & { n: number }>(db, statement, [
      JSON.stringify(inLockOrder(moves.map(moveRow), (row) => row.order_id)),
    ]);
    // By their place and not by the order: a fenced driver's move may share the batch with its successor's.
    const rows = new Map(found.map(({ n, ...row }) => [n, row]));
    return moves.map(({ order, change }, n) => {
      const row = rows.get(n);
      return row && toOrder({ ...row, details: { ...order.details, ...change?.details } });
    });
  }

  /**
   * Deletes an order that was refused before any vendor was called, with every trace of it, so that its reference is free
   * (spec §4.2); false when it is not Pending any more or the lease was lost.
   */
  async withdraw(orderId: string, epoch: string): Promise<boolean> {
    return (await query(this.pool, sql.withdrawOf(this.products), [orderId, epoch])).length > 0;
  }

  /** The order and its journal as recorded; undefined when it was withdrawn. */
  async load(orderId: string, db: Queryable = this.pool): Promise<SagaState | undefined> {
    const statement = sql.loadOf(this.products);
    const [row] = await query<OrderRow & Omit<SagaState, 'order'>>(db, statement, [orderId]);
    if (!row) return undefined;
    const { journal, readAt, ...order } = row;
    return { order: toOrder(order), journal, readAt };
  }
}

function newOrderRow({ displayRate, ...order }: InWork<NewOrder>): Record<string, unknown> {
  return {
    id: order.id,
    global_id: order.globalId,
    saga_id: order.sagaId,
    partner_id: order.partnerId,
    partner_global_id: order.partnerGlobalId,
    environment: order.environment,
    product: order.product,
    external_reference: order.externalReference,
    request: order.request,
    geo_scope_global_id: order.geoScopeGlobalId,
    amount: order.amount,
    currency: order.currency,
    vendor_name: order.vendorName,
    display_currency: displayRate?.currency,
    display_rate: displayRate?.rate,
    details: order.details,
    entries: toLines([BORN, intentOf([], order.firstStep)]),
    origin: order.headers,
  };
}

/** What the constraint orders_reference is on. */
const referenceKey = ({ externalReference, product, environment, partnerId }: NewOrder): string =>
  [externalReference, product, environment, partnerId].join(' ');

// Where every journal begins.
const BORN: JournalEntry = {
  step: 'order.created',
  attempt: 0,
  phase: 'result',
  outcome: 'Done',
  details: null,
};

function moveRow(move: InWork<Advance>, n: number): { order_id: string } & Record<string, unknown> {
  const { order, entries, event, next, to } = move;
  const { details, ...change } = move.change ?? {};
  return {
    n,
    order_id: order.id,
    epoch: move.epoch,
    from_status: order.status,
    to_status: to,
    touches: isTouched(move),
    pending: { vendorOrderId: change.vendorOrderId, currentRetryCount: change.currentRetryCount },
    amount: change.amount,
    freezes_rate: change.displayRate !== undefined,
    display_currency: change.displayRate?.currency,
    display_rate: change.displayRate?.rate,
    vendor_name: change.vendorName,
    vendor_order_id: change.vendorOrderId,
    error_message: change.errorMessage,
    failure_code: change.failureCode,
    describes: change.statusDescription !== undefined,
    description: change.statusDescription,
    retries: change.currentRetryCount,
    details,
    submits: entries.some(({ step, phase }) => step === 'vendor.submit' && phase === 'intent'),
    entries: toLines(entries),
    intents: intentKeys(entries),
    next,
    wake_ms: move.wakeMs === undefined ? undefined : Math.max(0, Math.round(move.wakeMs)),
    lane: move.lane,
    topic: event?.topic,
    event_type: event?.type,
    event: event?.payload.toString('base64'),
    emits_processing: event !== undefined && to === 'Processing',
    headers: event && move.headers,
  };
}

// What waits with the saga for the next write to its order, so that a step that changes nothing else leaves the order's row alone.
const CAN_WAIT = ['details', 'vendorOrderId', 'currentRetryCount'];

function isTouched({ order, to, change = {}, next }: Advance): boolean {
  const isSame = order.status === to && order.nextPollAt === null && next === 'Hold';
  return (
    !isSame || Object.entries(change).some(([name, value]) => value !== undefined && !CAN_WAIT.includes(name))
  );
}
