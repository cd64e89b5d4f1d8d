import type { TimelineEntry } from '@reseller/contracts';
import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';

interface EntryRow extends Pick<TimelineEntry, 'step' | 'occurredAt'> {
  readonly outcome: string | null;
  readonly details: unknown;
}

// Raw: saga_steps is a view.
const READ: PreparedStatement = {
  name: 'timeline_read',
  text: `SELECT step, outcome, details, recorded_at AS "occurredAt" FROM saga_steps WHERE order_id = $1 ORDER BY seq`,
};

/** Reads the journal of an order for people. */
export class TimelineRepository {
  constructor(private readonly pool: Pool) {}

  /** All entries of one order, oldest first. */
  async read(orderId: string): Promise<TimelineEntry[]> {
    const rows = await query<EntryRow>(this.pool, READ, [orderId]);
    return rows.map(({ step, outcome, details, occurredAt }) => ({
      occurredAt,
      step,
      outcome: outcome ?? 'Intent',
      detailsJson: details === null ? '' : JSON.stringify(details),
    }));
  }
}
