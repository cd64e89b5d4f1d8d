import { VendorNotAcceptedError, type Vendor, type VendorKnowledge } from './domain/vendor';

/** What one call of an order to its vendor came to, and how long it took. */
export interface VendorCall {
  readonly vendor: string;
  readonly outcome: VendorKnowledge['kind'] | 'not-accepted' | 'no-response';
  readonly durationMs: number;
}

/** The same vendor, each of whose calls is reported once it has ended. */
export function observeVendor(vendor: Vendor, report: (call: VendorCall) => void): Vendor {
  const observed = async <K extends VendorKnowledge>(call: Promise<K>): Promise<K> => {
    const startedAt = performance.now();
    const end = (outcome: VendorCall['outcome']): void =>
      report({ vendor: vendor.name, outcome, durationMs: Math.round(performance.now() - startedAt) });
    try {
      const known = await call;
      end(known.kind);
      return known;
    } catch (error) {
      end(error instanceof VendorNotAcceptedError ? 'not-accepted' : 'no-response');
      throw error;
    }
  };
  return {
    name: vendor.name,
    submit: (order, options) => observed(vendor.submit(order, options)),
    inquire: (idempotencyKey, options) => observed(vendor.inquire(idempotencyKey, options)),
  };
}
