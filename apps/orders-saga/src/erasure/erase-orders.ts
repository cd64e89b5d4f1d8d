import { query, queryWithoutEvents, withTransaction, type Queryable } from '@reseller/database';
import { createJob, type Job, type Logger, type PassCrashPoint } from '@reseller/service-kit';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { StoredProduct } from '../order/details-table';
import type { CanonicalRequest } from '../order/domain/order';
import { eraseRequest, isErased, type RecipientKind } from './domain/erased-request';
import { ANY_DUE, CLAIM, COMPLETE, eraseOrder, findOrders, GO_ON, PAGE_END } from './erase-orders.sql';
import type { RecipientKeys } from './recipient-keys';

/** What erasing works with. */
interface EraseOrdersDeps {
  readonly pool: Pool;
  readonly products: readonly StoredProduct[];
  readonly keys: RecipientKeys;
  /** Before orders that had not ended are looked at again, in milliseconds. */
  readonly recheckMs: number;
  readonly passCrashPoint: PassCrashPoint;
}

interface Claimed {
  readonly id: string;
  readonly kind: RecipientKind;
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly fromId: string;
  readonly openId: string | null;
  readonly requestedAt: Date;
}

interface Found {
  readonly id: string;
  readonly globalId: string;
  readonly request: CanonicalRequest;
  readonly isEnded: boolean;
}

const EVERY_MS = 1_000;
const PAGE = 1_000;
/** What holds an erasure up ends within moments. */
const HELD_MS = 50;

/**
 * Does one page of one erasure that is due, in a transaction; returns whether it did, or that one is due which nobody may begin yet. A
 * process that dies in it leaves the page to the next.
 */
async function eraseNextPage(deps: EraseOrdersDeps): Promise<boolean | 'held'> {
  if ((await queryWithoutEvents(deps.pool, ANY_DUE)).length === 0) return false;
  const wasDue = await withTransaction(deps.pool, async (tx) => {
    const [erasure] = await query<Claimed>(tx, CLAIM);
    if (!erasure) return false;
    const [end] = await query<{ id: string }>(tx, PAGE_END, [erasure.fromId, PAGE]);
    if (end) await erasePage(deps, tx, erasure, end.id);
    // Nothing comes behind an order that has not ended but what is erased already: the next pass begins there.
    else if (erasure.openId) await goOn(tx, erasure, erasure.openId, null, deps.recheckMs, 0);
    else await query(tx, COMPLETE, [erasure.id]);
    await deps.passCrashPoint('erasure.page.before');
    return true;
  });
  if (wasDue) await deps.passCrashPoint('erasure.page.after');
  return wasDue || 'held';
}

async function erasePage(
  { keys, products }: EraseOrdersDeps,
  tx: Queryable,
  erasure: Claimed,
  endId: string,
): Promise<void> {
  const { id, kind, fromId, requestedAt } = erasure;
  const recipient = keys.open(id, erasure);
  const found = await query<Found>(tx, findOrders(products, kind), [fromId, endId, recipient, requestedAt]);
  const ended = found.filter(({ isEnded }) => isEnded);
  const erase = eraseOrder(products);
  for (const { id: orderId, globalId, request } of ended) {
    // Whose number is left beside an erased request has the fingerprints of before.
    const erased = isErased(request) ? request : eraseRequest(request, globalId, keys);
    await query(tx, erase, [orderId, JSON.stringify(erased), recipient, globalId]);
  }
  const open = erasure.openId ?? found.find(({ isEnded }) => !isEnded)?.id ?? null;
  await goOn(tx, erasure, following(endId), open, 0, ended.length);
}

const goOn = (
  tx: Queryable,
  { id }: Claimed,
  fromId: string,
  openId: string | null,
  waitMs: number,
  orders: number,
): Promise<unknown> => query(tx, GO_ON, [id, fromId, openId, waitMs, orders]);

/** The least id that is greater. */
function following(id: string): string {
  const next = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Erases what was requested, a page at a time and one instance at a time (spec §18.10). */
export function createErasureJob(
  deps: EraseOrdersDeps & { readonly log: Logger; readonly metrics?: Registry | undefined },
): Job {
  return createJob({
    name: 'erasures',
    intervalMs: EVERY_MS,
    run: async (signal) => {
      const did = await eraseNextPage(deps);
      if (did !== 'held') return did || 'idle';
      await setTimeout(HELD_MS, undefined, { signal });
      return true;
    },
    log: deps.log,
    metrics: deps.metrics,
  });
}
