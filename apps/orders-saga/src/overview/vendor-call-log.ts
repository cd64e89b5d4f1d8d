import type { VendorCall } from '../clients/vendors/observe-vendor';
import type { OrderEnvironment } from '../order/domain/order';
import type { VendorCallRepository, VendorCallRow } from './vendor-call.repository';

/**
 * What calls to vendors came to in this process, written together (spec §18.7): no order pays for it. What was not written when the
 * process or its database goes away is in no overview.
 */
export class VendorCallLog {
  private open = new Map<string, VendorCallRow & { durationsMs: number[] }>();

  constructor(private readonly calls: VendorCallRepository) {}

  /** Notes a call that has ended. */
  record(environment: OrderEnvironment, { vendor, outcome, durationMs }: VendorCall): void {
    const key = `${environment} ${vendor} ${outcome}`;
    let row = this.open.get(key);
    if (!row) this.open.set(key, (row = { environment, vendor, outcome, durationsMs: [] }));
    row.durationsMs.push(durationMs);
  }

  /** Writes what was noted since the last time. */
  async flush(): Promise<void> {
    const rows = [...this.open.values()];
    this.open = new Map();
    if (rows.length > 0) await this.calls.record(rows);
  }
}
