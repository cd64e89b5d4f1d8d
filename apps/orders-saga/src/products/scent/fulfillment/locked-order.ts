import { isCheckViolation, query, type Queryable } from '@reseller/database';
import { AppError, type JsonValue } from '@reseller/errors';
import { appendToOutbox } from '@reseller/messaging';
import { currentHeaders, REQUEST_ID } from '@reseller/telemetry';
import { v7 as uuid } from 'uuid';
import type { OperatorCall } from '../../../operations/domain/decision';
import type { Order, OrderStatus } from '../../../order/domain/order';
import type { OrderEvent } from '../../../order/order-events';
import { toOrder, type OrderRow } from '../../../order/order-row';
import type { EntryOutcome } from '../../../saga/domain/journal';
import type { GroupStatus, ScentDetails } from '../domain/scent-order';
import type {
  RequestedUnits,
  ReturnDecision,
  ReturnRequest,
  ReturnStatusName,
} from '../returns/domain/return-request';
import { readDetails } from '../scent-order.repository';
import type { FulfillmentEntry, OrderTask, TaskKind, TaskLease } from './domain/order-task';
import * as sql from './locked-order.sql';

/** A paid scent order under its row's lock: what is read is what stands, and all that is written stands together. */
export class LockedOrder {
  private constructor(
    private readonly db: Queryable,
    public order: Order,
    public scent: ScentDetails,
    private readonly lease: TaskLease,
  ) {}

  /** Locks the order; undefined for one that is no scent order or not priced yet. */
  static async take(db: Queryable, orderId: string, lease: TaskLease): Promise<LockedOrder | undefined> {
    const [row] = await query<OrderRow>(db, sql.LOCK, [orderId]);
    const scent = row && (await readDetails(db, [orderId])).get(orderId);
    return row && scent && new LockedOrder(db, toOrder(row), scent, lease);
  }

  /** Moves the order; one that ends for the first time gets its completedAt. */
  async moveTo(status: OrderStatus): Promise<void> {
    const [row] = await query<OrderRow>(this.db, sql.MOVE_ORDER, [this.order.id, status]);
    if (row) this.order = toOrder(row);
  }

  /** Moves a group, by the database's clock. */
  async moveGroup(groupId: string, status: GroupStatus): Promise<void> {
    await query(this.db, sql.MOVE_GROUP, [groupId, status]);
    await this.reread();
  }

  /** Writes into the timeline; without an attempt it is the next one of its step. Returns the attempt. */
  async note(
    step: FulfillmentEntry,
    details: Readonly<Record<string, JsonValue>>,
    { phase, outcome, attempt }: { phase: 'intent' | 'result'; outcome?: EntryOutcome; attempt?: number },
  ): Promise<number> {
    const values = [this.order.id, step, attempt, phase, outcome, JSON.stringify(details)];
    const [row] = await query<{ attempt: number }>(this.db, sql.NOTE, values);
    if (!row) throw new Error(`${step} ${attempt} of order ${this.order.id} is in the journal already`);
    return row.attempt;
  }

  /** The task on a group or return request, open or done. */
  async findTask(kind: TaskKind, subjectId: string): Promise<OrderTask | undefined> {
    const [task] = await query<OrderTask>(this.db, sql.FIND_TASK, [kind, subjectId]);
    return task;
  }

  /** Sets a task, once for each subject, with its intent in the timeline; its setter has the lease. */
  async setTask(
    kind: TaskKind,
    subjectId: string,
    { operator, partner, requestId, notes }: OperatorCall,
  ): Promise<OrderTask> {
    const noted = { operator, subjectId, ...(notes !== undefined && { notes }) };
    const attempt = await this.note(`operator.${kind}`, noted, { phase: 'intent' });
    const { owner, ms } = this.lease;
    const origin = JSON.stringify({ ...currentHeaders(), [REQUEST_ID]: requestId });
    const values = [
      uuid(),
      this.order.id,
      kind,
      subjectId,
      operator,
      attempt,
      owner,
      ms,
      origin,
      partner !== undefined,
    ];
    const [task] = await query<OrderTask>(this.db, sql.SET_TASK, values);
    if (!task) throw new Error('a task was not recorded');
    return task;
  }

  /** Ends a task with its result in the timeline; false when another one has ended it. */
  async closeTask(task: OrderTask, details: Readonly<Record<string, JsonValue>>): Promise<boolean> {
    if ((await query(this.db, sql.CLOSE_TASK, [task.id])).length === 0) return false;
    const { kind, subjectId, operator, journalAttempt: attempt } = task;
    const noted = { operator, subjectId, ...details };
    await this.note(`operator.${kind}`, noted, { phase: 'result', outcome: 'Done', attempt });
    return true;
  }

  /** Whether a group was delivered no longer ago than this, by the database's clock. */
  async wasDeliveredWithin(groupId: string, ms: number): Promise<boolean> {
    return (await query(this.db, sql.WITHIN, [groupId, ms])).length > 0;
  }

  /** Where a request stands; undefined when there is none. */
  async returnStatus(requestId: string): Promise<ReturnStatusName | undefined> {
    const [request] = await query<{ status: ReturnStatusName }>(this.db, sql.RETURN_STATUS, [requestId]);
    return request?.status;
  }

  /** Claims units and makes the request that holds them; BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED when fewer are left. */
  async requestReturn(groupId: string, units: readonly RequestedUnits[]): Promise<ReturnRequest> {
    const ids = units.map(({ orderLineId }) => orderLineId);
    try {
      await query(this.db, sql.CLAIM, [ids, units.map(({ quantity }) => quantity)]);
    } catch (error) {
      if (!isCheckViolation(error, 'scent_order_lines_returns')) throw error;
      throw new AppError('BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED');
    }
    const { id: orderId, globalId: orderGlobalId, partnerId, environment } = this.order;
    const id = uuid();
    const lines = units.map((line, position) => ({ ...line, id: uuid(), position }));
    const values = [id, orderId, groupId, JSON.stringify(lines)];
    const [made] = await query<{ requestedAt: Date }>(this.db, sql.REQUEST_RETURN, values);
    if (!made) throw new Error('a return request was not recorded');
    const undecided = { decidedAt: null, decidedByUserId: null, declineReason: null };
    const about = { id, orderId, orderGlobalId, partnerId, environment, groupId };
    return { ...about, status: 'Pending', requestedAt: made.requestedAt, ...undecided, lines };
  }

  /** Decides a Pending request, whose units are returned or free again; CONFLICT_RETURN_REQUEST_DECIDED for any other. */
  async decideReturn(request: ReturnRequest, decision: ReturnDecision): Promise<ReturnRequest> {
    const { status, decidedByUserId } = decision;
    const declineReason = decision.declineReason ?? null;
    const values = [request.id, status, decidedByUserId, declineReason];
    const [decided] = await query<{ decidedAt: Date }>(this.db, sql.DECIDE_RETURN, values);
    if (!decided) throw new AppError('CONFLICT_RETURN_REQUEST_DECIDED');
    await this.reread();
    return { ...request, status, decidedAt: decided.decidedAt, decidedByUserId, declineReason };
  }

  /** Sends an event when the transaction stands. */
  async emit(event: OrderEvent): Promise<void> {
    await appendToOutbox(this.db, { ...event, aggregateId: this.order.id });
  }

  private async reread(): Promise<void> {
    this.scent = (await readDetails(this.db, [this.order.id])).get(this.order.id) ?? this.scent;
  }
}
