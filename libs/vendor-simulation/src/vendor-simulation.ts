import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher, query } from '@reseller/database';
import type { Queryable } from '@reseller/database';
import { v7 as uuid } from 'uuid';
import { FIND, INQUIRE, LIST, SUBMIT } from './journal.sql';
import type { JournalRow } from './journal.sql';
import { scenarioFor } from './outcomes';
import type { Scenario, VendorSubmission } from './outcomes';
import { SIMULATED_PRODUCTS } from './products';
import type { SimulatedDelivery, SimulatedProductName } from './products';
import { SimulatedDrop, SimulatedKeyReuse, SimulatedOutage } from './simulated-errors';

/** What the vendor says of a key; `not-found` comes from inquiries only: the vendor never took such an order. */
export interface VendorResponse extends SimulatedDelivery {
  readonly kind: 'success' | 'refused' | 'pending' | 'unknown' | 'not-found';
  /** The vendor's own name of the order; absent for not-found. */
  readonly vendorOrderId?: string;
  /** Why it was refused. */
  readonly reason?: string;
}

/** One key's history, for tests and auditors: what was requested, how often, and whether it was delivered. */
export interface JournalEntry {
  readonly idempotencyKey: string;
  /** Ascending; where the next page goes on. */
  readonly seq: string;
  readonly product: SimulatedProductName;
  readonly recipient: string;
  readonly productSku: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly scenario: string;
  readonly state: 'outage' | 'pending' | 'success' | 'refused' | 'unknown';
  readonly vendorOrderId: string;
  readonly submissions: number;
  readonly inquiries: number;
  readonly receivedAt: Date;
  readonly deliveredAt: Date | null;
}

/** The simulated vendor; every call is one statement, durable when it returns or throws a Simulated error. */
export interface VendorSimulation {
  /**
   * Places an order; idempotent by its key for ever. Throws SimulatedOutage (nothing was taken),
   * SimulatedDrop (delivered, but the response is lost) and SimulatedKeyReuse (the key had other values).
   */
  submit(submission: VendorSubmission, options?: CallOptions): Promise<VendorResponse>;
  /** Asks what became of a key; counts as a poll while the order is pending. */
  inquire(idempotencyKey: string, options?: CallOptions): Promise<VendorResponse>;
  /** Up to `limit` entries after `afterSeq`, oldest first; changes nothing. */
  listJournal(page: { afterSeq?: string; limit: number }): Promise<JournalEntry[]>;
  /** One key's entry; changes nothing. */
  findJournalEntry(idempotencyKey: string): Promise<JournalEntry | undefined>;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Makes a simulation over the table of VENDOR_SIMULATION_SQL; any number of them may share one table. */
export function createVendorSimulation({
  pool,
  delay = (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
}: {
  pool: Queryable;
  delay?: (ms: number, signal?: AbortSignal) => Promise<void>;
}): VendorSimulation {
  const submissions = batcherOf(pool);
  return {
    async submit(submission, { signal } = {}) {
      signal?.throwIfAborted();
      const scenario = scenarioFor(submission);
      const row = await submissions.submit(firstRow(submission, scenario));
      if (row === undefined) throw new SimulatedKeyReuse(submission.idempotencyKey);
      if (row.state === 'outage') throw new SimulatedOutage();
      const isFirst = row.submissions === 1;
      if (isFirst && scenario.respondsAfterMs > 0) await delay(scenario.respondsAfterMs, signal);
      if (isFirst && scenario.dropsResponse) throw new SimulatedDrop();
      return toResponse(row);
    },

    async inquire(idempotencyKey, { signal } = {}) {
      signal?.throwIfAborted();
      const [row] = await query<JournalRow>(pool, INQUIRE, [idempotencyKey]);
      // During an outage the vendor took nothing, so it knows nothing.
      return row === undefined || row.state === 'outage' ? { kind: 'not-found' } : toResponse(row);
    },

    async listJournal({ afterSeq = '0', limit }) {
      return (await query<JournalRow>(pool, LIST, [afterSeq, limit])).map(toEntry);
    },

    async findJournalEntry(idempotencyKey) {
      const [row] = await query<JournalRow>(pool, FIND, [idempotencyKey]);
      return row && toEntry(row);
    },
  };
}

type FirstRow = Readonly<Record<string, unknown>> & { readonly idempotency_key: string };

// What is submitted at the same time shares a statement, by key, which is the order of locks; one that spoils it, such as a key that
// is there twice, is alone in the end.
function batcherOf(pool: Queryable): Batcher<FirstRow, JournalRow | undefined> {
  return new Batcher({
    concurrency: 2,
    maxBatch: 64,
    maxWaiting: Infinity,
    run: async (rows) => {
      const inOrder = rows.toSorted((a, b) => (a.idempotency_key < b.idempotency_key ? -1 : 1));
      const found = await query<JournalRow>(pool, SUBMIT, [JSON.stringify(inOrder)]);
      const byKey = new Map(found.map((row) => [row.idempotency_key, row]));
      return rows.map(({ idempotency_key: key }) => byKey.get(key));
    },
  });
}

function firstRow(submission: VendorSubmission, scenario: Scenario): FirstRow {
  return {
    idempotency_key: submission.idempotencyKey,
    product: submission.product,
    recipient: recipientOf(submission),
    product_sku: submission.productSku,
    amount: submission.amount,
    currency: submission.currency,
    scenario: scenario.name,
    outages: scenario.outages,
    settles_at_poll: scenario.settlesAtPoll,
    verdict: scenario.verdict,
    reason: scenario.reason,
    state: firstState(scenario),
    vendor_order_id: `SIM-${uuid()}`,
    activation: handedOver(submission, scenario),
  };
}

function firstState(scenario: Scenario): JournalRow['state'] {
  if (scenario.outages > 0) return 'outage';
  return scenario.settlesAtPoll > 0 ? 'pending' : scenario.verdict;
}

function recipientOf(submission: VendorSubmission): string {
  const { product } = submission;
  const { recipient: field } = SIMULATED_PRODUCTS[product];
  const recipient = submission[field];
  if (!recipient) throw new TypeError(`${product} needs ${field}.`);
  return recipient;
}

function handedOver(submission: VendorSubmission, { verdict }: Scenario): unknown {
  const { idempotencyKey, product, productSku } = submission;
  const { handsOver } = SIMULATED_PRODUCTS[product];
  return handsOver && verdict !== 'refused' ? handsOver.valueFor(idempotencyKey, productSku) : null;
}

function toResponse(row: JournalRow): VendorResponse {
  const { handsOver } = SIMULATED_PRODUCTS[row.product];
  const isHandedOver = row.activation !== null && (row.state === 'success' || row.state === 'unknown');
  return {
    kind: row.state === 'outage' ? 'not-found' : row.state,
    vendorOrderId: row.vendor_order_id,
    ...(row.state === 'refused' && row.reason !== null ? { reason: row.reason } : {}),
    ...(handsOver && isHandedOver ? ({ [handsOver.field]: row.activation } as SimulatedDelivery) : {}),
  };
}

function toEntry(row: JournalRow): JournalEntry {
  return {
    idempotencyKey: row.idempotency_key,
    seq: row.seq,
    product: row.product,
    recipient: row.recipient,
    productSku: row.product_sku,
    amount: row.amount,
    currency: row.currency,
    scenario: row.scenario,
    state: row.state,
    vendorOrderId: row.vendor_order_id,
    submissions: row.submissions,
    inquiries: row.inquiries,
    receivedAt: row.received_at,
    deliveredAt: row.delivered_at,
  };
}
