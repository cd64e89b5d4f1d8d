import {
  SimulatedDrop,
  SimulatedOutage,
  type VendorSimulation,
  type VendorSubmission,
} from '@reseller/vendor-simulation';
import {
  VendorNotAcceptedError,
  VendorUnreachableError,
  type Vendor,
  type VendorResponse,
  type VendorKnowledge,
} from './domain/vendor';

type SimulatedResponse = Awaited<ReturnType<VendorSimulation['inquire']>>;

/** The sandbox's vendor inside this process (spec §4.12); its drops are VendorUnreachableError, its outages accepted nothing. */
export function createSimulatedVendor(simulation: VendorSimulation): Vendor {
  return {
    name: 'simulator',
    async submit(order, { idempotencyKey, signal }) {
      const { product, item, amount, currency } = order;
      // The simulation knows the products that are sold, and refuses any other.
      const submission = { idempotencyKey, product, ...item, amount, currency } as VendorSubmission;
      const response = await orUnreachable(signal, simulation.submit(submission, { signal }));
      const known = toKnowledge(response);
      if (known.kind === 'not-found') throw new VendorUnreachableError('the simulator accepted nothing');
      return known;
    },
    async inquire(idempotencyKey, { signal }) {
      return toKnowledge(await orUnreachable(signal, simulation.inquire(idempotencyKey, { signal })));
    },
  };
}

async function orUnreachable<T>(signal: AbortSignal, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof SimulatedOutage) throw new VendorNotAcceptedError(error.message, { cause: error });
    if (!(error instanceof SimulatedDrop) && !signal.aborted) throw error;
    throw new VendorUnreachableError('the simulated vendor did not respond', { cause: error });
  }
}

function toKnowledge(response: SimulatedResponse): VendorKnowledge {
  const { kind, vendorOrderId = '', reason = 'The vendor refused the order.', ...delivery } = response;
  switch (kind) {
    case 'success':
    case 'unknown':
      return { kind, vendorOrderId, delivery } satisfies VendorResponse;
    case 'refused':
      return { kind, vendorOrderId, reason };
    case 'pending':
      return { kind, vendorOrderId };
    case 'not-found':
      return { kind };
  }
}
