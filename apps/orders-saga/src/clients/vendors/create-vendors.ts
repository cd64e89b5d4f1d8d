import type { Logger } from '@reseller/service-kit';
import { createVendorSimulation } from '@reseller/vendor-simulation';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { Config } from '../../config';
import type { DeliveryShapes } from './domain/vendor';
import { createHttpVendor } from './http/http-vendor';
import { createVendorMetrics } from './http/vendor-metrics';
import { createSimulatedVendor } from './simulated-vendor';
import { VendorDirectory } from './vendor-directory';

/** The simulated vendor for sandbox and the live ones of the settings; `close` ends the connections to them. */
export function createVendors(
  { config, log, metrics }: { config: Config; log: Logger; metrics?: Registry | undefined },
  pool: Pool,
  deliveryShapes: DeliveryShapes,
): { directory: VendorDirectory; close: () => Promise<void> } {
  const common = {
    times: { timeoutMs: config.VENDOR_TIMEOUT_MS, connectTimeoutMs: config.VENDOR_CONNECT_TIMEOUT_MS },
    breaker: { faults: config.VENDOR_BREAKER_FAULTS, openMs: config.VENDOR_BREAKER_OPEN_MS },
    deliveryShapes,
  };
  const observed = { metrics: createVendorMetrics(metrics), log };
  const live = config.VENDORS.map((settings) => ({
    ...settings,
    vendor: createHttpVendor({ ...settings, ...common }, observed),
  }));
  const simulated = createSimulatedVendor(createVendorSimulation({ pool }));
  return {
    directory: new VendorDirectory(simulated, live),
    close: async () => {
      await Promise.all(live.map(({ vendor }) => vendor.close()));
    },
  };
}
