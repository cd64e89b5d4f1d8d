import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What is measured of live vendors. */
export interface VendorMetrics {
  readonly breakerState: Gauge<'vendor'>;
  readonly breakerTransitions: Counter<'vendor' | 'to'>;
  readonly calls: Histogram<'vendor' | 'call' | 'outcome'>;
}

/** The measures of all live vendors, in one registry; without one they are kept and shown to nobody. */
export function createVendorMetrics(registry?: Registry): VendorMetrics {
  const registers = registry ? [registry] : [];
  return {
    breakerState: new Gauge({
      name: 'vendor_breaker_state',
      help: 'The circuit breaker of a vendor: 0 closed, 1 half-open, 2 open. Each instance has its own: take max().',
      labelNames: ['vendor'],
      registers,
    }),
    breakerTransitions: new Counter({
      name: 'vendor_breaker_transitions_total',
      help: 'Changes of a vendor’s circuit breaker, by the state it went to. Sum over instances.',
      labelNames: ['vendor', 'to'],
      registers,
    }),
    calls: new Histogram({
      name: 'vendor_call_duration_seconds',
      help: 'Seconds of one call to a vendor, by what it returned; not-accepted and no-response are failures. Sum over instances.',
      labelNames: ['vendor', 'call', 'outcome'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
  };
}
