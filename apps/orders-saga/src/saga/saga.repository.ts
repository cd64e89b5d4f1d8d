import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import type {
  CanonicalRequest,
  DisplayRate,
  EsimPlan,
  Order,
  OrderChange,
  OrderStatus,
  Product,
} from '../order/domain/order';
import type { OrderEvent } from '../order/order-events';
import { ORDER_COLUMNS, toOrder, type OrderRow } from '../order/order-row';
import type { OrderScope } from '../order/order-scope';
import type { JournalEntry, StepName } from './domain/journal';
import * as sql from './saga.sql';

/** An order that is to be made. */
export interface NewOrder {
  readonly id: string;
  readonly globalId: string;
  readonly sagaId: string;
  readonly scope: OrderScope;
  readonly product: Product;
  readonly externalReference: string;
  readonly request: CanonicalRequest;
  readonly geoScopeGlobalId: string;
  readonly amount: string;
  readonly currency: string;
  /** Of a top-up. */
  readonly phoneNumber: string | null;
  /** Of an eSIM. */
  readonly esim: EsimPlan | null;
  readonly vendorName: string;
  readonly displayRate: DisplayRate | null;
  /** The saga's first step, recorded together with the order. */
  readonly firstStep: StepName;
}

/** A lease just granted. */
export interface Grant {
  readonly orderId: string;
  readonly epoch: string;
  readonly attempts: number;
  readonly isAnnounced: boolean;
}

/** What a driver is to know of an order when it takes over. */
export interface SagaState {
  readonly order: Order;
  readonly journal: readonly JournalEntry[];
  /** By the database's clock; 0 when no vendor was asked. */
  readonly vendorAskedMsAgo: number;
}

/** One recorded move of a saga. */
export interface Advance {
  readonly orderId: string;
  readonly epoch: string;
  readonly from: OrderStatus;
  readonly to: OrderStatus;
  readonly change?: OrderChange | undefined;
  readonly entries: readonly JournalEntry[];
  /** Hold goes on at once; LetGo lets anyone go on after `wakeMs`; Park awaits an operator; Finish ends it. */
  readonly next: 'Hold' | 'LetGo' | 'Park' | 'Finish';
  readonly wakeMs?: number | undefined;
  readonly event?: OrderEvent | undefined;
  readonly announcesProcessing: boolean;
}

/** Writes orders, sagas and their journal; every write after the first is fenced by the lease's epoch. */
export class SagaRepository {
  constructor(private readonly pool: Pool) {}

  /** Makes order, saga and first intent in one statement; undefined when the reference is taken. */
  async begin(order: NewOrder, owner: string, leaseMs: number): Promise<Order | undefined> {
    const { scope, displayRate, esim } = order;
    const [row] = await query<OrderRow>(this.pool, sql.BEGIN, [
      order.id,
      order.globalId,
      order.sagaId,
      scope.partnerId,
      scope.partnerGlobalId,
      scope.environment,
      order.product,
      order.externalReference,
      JSON.stringify(order.request),
      order.geoScopeGlobalId,
      order.amount,
      order.currency,
      order.phoneNumber,
      order.vendorName,
      displayRate?.currency ?? null,
      displayRate?.rate ?? null,
      owner,
      leaseMs,
      order.firstStep,
      esim?.productSku ?? null,
      esim?.email ?? null,
      esim?.dataAllowance ?? null,
      esim?.validityDays ?? null,
    ]);
    return row && toOrder(row);
  }

  /** Records a move; answers the order as it stands now, or undefined when the lease was lost. */
  async advance(move: Advance): Promise<Order | undefined> {
    const [row] = await query<OrderRow>(this.pool, sql.ADVANCE, [
      move.orderId,
      move.epoch,
      move.from,
      move.to,
      move.change ? JSON.stringify(move.change) : null,
      JSON.stringify(move.entries),
      move.next,
      move.wakeMs === undefined ? null : Math.max(0, Math.round(move.wakeMs)),
      move.event?.topic ?? null,
      move.event?.type ?? null,
      move.event?.payload ?? null,
      move.announcesProcessing,
    ]);
    return row && toOrder(row);
  }

  /** Takes a Pending order back with every trace of it; false when the lease was lost. */
  async withdraw(orderId: string, epoch: string): Promise<boolean> {
    const [row] = await query<{ withdrawn: boolean }>(this.pool, sql.WITHDRAW, [orderId, epoch]);
    return row?.withdrawn === true;
  }

  /** Claims up to `limit` sagas that are due, skipping those that others are claiming. */
  claimDue(limit: number, owner: string, leaseMs: number): Promise<Grant[]> {
    return this.grant(sql.CLAIM_DUE, [limit, owner, leaseMs]);
  }

  /** Takes over one saga whose lease lapsed, or which waits for a service while Pending; else undefined. */
  async takeLapsed(orderId: string, owner: string, leaseMs: number): Promise<Grant | undefined> {
    return (await this.grant(sql.TAKE_LAPSED, [orderId, owner, leaseMs]))[0];
  }

  /** Takes an order from whoever has it for an operator, if it has this status and no decision yet. */
  async takeForOperator(
    order: { id: string; status: OrderStatus },
    decision: string,
    owner: string,
    leaseMs: number,
  ): Promise<Grant | undefined> {
    const values = [order.id, order.status, decision, owner, leaseMs];
    return (await this.grant(sql.TAKE_FOR_OPERATOR, values))[0];
  }

  /** Prolongs leases that are still of these epochs and answers their orders. */
  async renewLeases(
    leases: readonly { orderId: string; epoch: string }[],
    leaseMs: number,
  ): Promise<string[]> {
    const rows = await query<{ orderId: string }>(this.pool, sql.RENEW, [
      leases.map(({ orderId }) => orderId),
      leases.map(({ epoch }) => epoch),
      leaseMs,
    ]);
    return rows.map(({ orderId }) => orderId);
  }

  /** The order and its journal as recorded; undefined when it was withdrawn. */
  async load(orderId: string): Promise<SagaState | undefined> {
    const [row] = await query<OrderRow & { journal: JournalEntry[]; askedMsAgo: number }>(this.pool, LOAD, [
      orderId,
    ]);
    if (!row) return undefined;
    const { journal, askedMsAgo, ...order } = row;
    return { order: toOrder(order), journal, vendorAskedMsAgo: askedMsAgo };
  }

  private grant(statement: PreparedStatement, values: unknown[]): Promise<Grant[]> {
    return query<Grant>(this.pool, statement, values);
  }
}

const LOAD: PreparedStatement = {
  name: 'saga_load',
  text: `SELECT ${ORDER_COLUMNS},
      coalesce(extract(epoch FROM clock_timestamp() - vendor_asked_at) * 1000, 0)::float8 AS "askedMsAgo",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('step', s.step, 'attempt', s.attempt, 'phase', s.phase,
        'outcome', s.outcome, 'details', s.details) ORDER BY s.seq), '[]') FROM saga_steps s WHERE s.order_id = orders.id)
        AS journal
    FROM orders WHERE id = $1`,
};
