import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { PartnerScope } from '@reseller/rpc';
import type { Pool, PoolClient } from 'pg';
import { v7 as newId } from 'uuid';
import { orderSource } from '../order/order-row';
import type { StoredProduct } from '../order/details-table';
import { BLOCK_LENGTH, DifferenceBlocks, fromBlock } from './difference-blocks';
import { Comparison } from './domain/compare-records';
import type { PartnerRecord } from './domain/partner-record';
import type { BlockSpan } from './domain/block-spans';
import type {
  Difference,
  DifferenceKind,
  OwnOrder,
  ReconciledTime,
  Reconciliation,
} from './domain/reconciliation';

/** For how long a reconciliation is read, and how many a partner has meanwhile in an environment. */
export const KEEP_MS = 30 * 86_400_000;
const MOST_KEPT = 1_000;
/** So many of our orders are in memory at once. */
const FETCHED = 1_000;

const IS_KEPT = `id >= (SELECT uuidv7(interval '-30 days'))`;

// Raw: one partner's comparisons one after the other, so that the count is exact.
const LOCK: PreparedStatement = {
  name: 'reconciliations-lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('reconciliations ' || $1 || ' ' || $2, 0))`,
};

// Raw: by the database's clock, on which ids hold their time.
const COUNT: PreparedStatement = {
  name: 'reconciliations-count',
  text: `SELECT count(*)::int AS kept, now() AS at FROM partner_reconciliations
    WHERE partner_id = $1::uuid AND environment = $2 AND ${IS_KEPT}`,
};

// Raw: in the transaction of the comparison.
const INSERT: PreparedStatement = {
  name: 'reconciliation-insert',
  text: `INSERT INTO partner_reconciliations (id, partner_id, environment, product, from_at, to_at, created_at, row_count, matched,
      missing_here, missing_there, amount_differs, status_differs)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
};

// Raw: by the database's clock.
const FIND: PreparedStatement = {
  name: 'reconciliation-find',
  text: `SELECT id, product, from_at AS "fromAt", to_at AS "toAt", created_at AS "createdAt", row_count AS rows, matched,
      json_build_object('missingHere', missing_here, 'missingThere', missing_there,
        'amountDiffers', amount_differs, 'statusDiffers', status_differs) AS differences
    FROM partner_reconciliations WHERE id = $1 AND partner_id = $2 AND environment = $3 AND ${IS_KEPT}`,
};

// Raw: ranges of the primary key, which Prisma cannot join.
const BLOCKS: PreparedStatement = {
  name: 'reconciliation-blocks',
  text: `SELECT d.kind, d.differences
    FROM unnest($2::text[], $3::int[], $4::int[]) WITH ORDINALITY AS span (kind, first, last, place)
    JOIN partner_reconciliation_differences d
      ON d.reconciliation_id = $1 AND d.kind = span.kind AND d.block BETWEEN span.first AND span.last
    ORDER BY span.place, d.block`,
};

/** Compares partners' records with the orders that are stored, and keeps what came of it. */
export class ReconciliationRepository {
  private readonly declare: string;

  constructor(
    private readonly pool: Pool,
    products: readonly StoredProduct[],
  ) {
    const { visible } = orderSource(products);
    // Raw: a cursor has one snapshot and holds few rows in memory; by code points, as the record is.
    this.declare = `DECLARE own_orders NO SCROLL CURSOR FOR
      SELECT external_reference AS "externalReference", amount::text, status, global_id AS "orderGlobalId" FROM orders
      WHERE partner_id = $1 AND environment = $2 AND product = $3 AND submitted_at >= $4 AND submitted_at < $5 AND ${visible}
      ORDER BY external_reference COLLATE "C"`;
  }

  /** Compares a record with the scope's orders of one moment, and keeps the differences; BUSINESS_RESOURCE_LIMIT past 1,000. */
  async reconcile(
    { partnerId, environment }: PartnerScope,
    time: ReconciledTime,
    record: PartnerRecord,
  ): Promise<Reconciliation> {
    const id = newId();
    const { product, fromAt, toAt } = time;
    return withTransaction(this.pool, async (tx) => {
      const createdAt = await this.admit(tx, partnerId, environment);
      const blocks = new DifferenceBlocks(tx, id);
      const comparison = new Comparison(record, (difference) => blocks.add(difference));
      await tx.query(this.declare, [partnerId, environment, product, fromAt, toAt]);
      for (let isMore = true; isMore;) {
        const { rows } = await tx.query<OwnOrder>(`FETCH ${FETCHED} FROM own_orders`);
        for (const order of rows) {
          while (comparison.missBefore(order.externalReference)) if (blocks.isFull) await blocks.write();
          comparison.take(order);
          if (blocks.isFull) await blocks.write();
        }
        isMore = rows.length === FETCHED;
      }
      while (comparison.missBefore(undefined)) if (blocks.isFull) await blocks.write();
      await blocks.end();
      const { counts } = blocks;
      const { matched } = comparison;
      const rows = record.length;
      await query(tx, INSERT, [
        ...[id, partnerId, environment, product, fromAt, toAt, createdAt, rows, matched],
        ...[counts.missingHere, counts.missingThere, counts.amountDiffers, counts.statusDiffers],
      ]);
      return { id, ...time, createdAt, rows, matched, differences: counts };
    });
  }

  /** The scope's own one, for 30 days. */
  async find({ partnerId, environment }: PartnerScope, id: string): Promise<Reconciliation | undefined> {
    return (await query<Reconciliation>(this.pool, FIND, [id, partnerId, environment]))[0];
  }

  /** The differences of some blocks, in their order. */
  async readBlocks(id: string, spans: readonly BlockSpan[]): Promise<Difference[]> {
    const rows = await query<{ kind: DifferenceKind; differences: unknown }>(this.pool, BLOCKS, [
      id,
      spans.map(({ kind }) => kind),
      spans.map(({ from }) => Math.floor(from / BLOCK_LENGTH)),
      spans.map(({ to }) => Math.floor((to - 1) / BLOCK_LENGTH)),
    ]);
    return rows.flatMap(({ kind, differences }) => fromBlock(kind, differences));
  }

  private async admit(tx: PoolClient, partnerId: string, environment: string): Promise<Date> {
    await query(tx, LOCK, [partnerId, environment]);
    const [row] = await query<{ kept: number; at: Date }>(tx, COUNT, [partnerId, environment]);
    if (!row || row.kept >= MOST_KEPT) throw new AppError('BUSINESS_RESOURCE_LIMIT', { limit: MOST_KEPT });
    return row.at;
  }
}
