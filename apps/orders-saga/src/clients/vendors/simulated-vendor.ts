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
  type VendorAnswer,
  type VendorKnowledge,
} from './domain/vendor';

type SimulatedAnswer = Awaited<ReturnType<VendorSimulation['inquire']>>;

/** The sandbox's vendor inside this process (spec §4.12); its drops are VendorUnreachableError, its outages accepted nothing. */
export function createSimulatedVendor(simulation: VendorSimulation): Vendor {
  return {
    name: 'simulator',
    async submit(order, { idempotencyKey, signal }) {
      const { product, item, amount, currency } = order;
      // The simulation knows the products that are sold, and refuses any other.
      const submission = { idempotencyKey, product, ...item, amount, currency } as VendorSubmission;
      const answer = await orUnreachable(signal, simulation.submit(submission, { signal }));
      const known = toKnowledge(answer);
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
    throw new VendorUnreachableError('the simulated vendor did not answer', { cause: error });
  }
}

function toKnowledge(answer: SimulatedAnswer): VendorKnowledge {
  const { kind, vendorOrderId = '', reason = 'The vendor refused the order.', ...delivery } = answer;
  switch (kind) {
    case 'success':
    case 'unknown':
      return { kind, vendorOrderId, delivery } satisfies VendorAnswer;
    case 'refused':
      return { kind, vendorOrderId, reason };
    case 'pending':
      return { kind, vendorOrderId };
    case 'not-found':
      return { kind };
  }
}
