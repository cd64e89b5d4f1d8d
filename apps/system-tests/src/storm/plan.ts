import { isDeepStrictEqual } from 'node:util';
import { emailTagged, phoneEnding } from '../clients/bodies';
import type { VendorBehaviour } from '../crash/cells';
import { PHONE_ENDS } from '../crash/products';
import type { EnvironmentName } from '../platform/platform-file';
import type { Random } from './random';

/** A body that a client sends. */
export interface Body {
  readonly product: 'Topup' | 'Esim';
  readonly vendor: VendorBehaviour;
  /** Minor units. */
  readonly amount: number;
  readonly json: Readonly<Record<string, string | number>>;
}

/** One reference, the bodies that are sent under it, and how often. */
export interface Reference {
  readonly id: string;
  readonly partner: number;
  /** The first is the order's own; a second one is the altered body of a confused client. */
  readonly bodies: readonly Body[];
}

/** One send of a client. */
export interface Send {
  readonly reference: Reference;
  readonly body: Body;
}

/** Something that befalls the platform, after a pause. */
export interface Fault {
  readonly kind: 'crash-point' | 'kill' | 'stop';
  readonly target: string;
  readonly afterMs: number;
  /** How long a stopped process stands still. */
  readonly forMs: number;
}

/** Everything that one seed decides; what the machine makes of its order is the rest. */
export interface StormPlan {
  readonly seed: number;
  readonly environment: EnvironmentName;
  /** Of each partner, in minor units; the last one is poor, so that refusals occur. */
  readonly deposits: readonly number[];
  readonly clients: number;
  readonly sends: readonly Send[];
  readonly faults: readonly Fault[];
}

const BEHAVIOURS: readonly VendorBehaviour[] = [
  ...(['success', 'success', 'success', 'fail', 'outage', 'pending'] as const),
  ...(['pendingfail', 'unknown', 'dropped', 'slow'] as const),
];
const ESIMS = [
  { sku: 'ESIM-SA-1GB-7D', geoScope: 'GEO-SA', amount: 1900 },
  { sku: 'ESIM-UAE-3GB-15D', geoScope: 'GEO-AE', amount: 4575 },
  { sku: 'ESIM-EG-2.5GB-15D', geoScope: 'GEO-EG', amount: 2950 },
];
const KILLED = ['orders-saga', 'orders-saga', 'finance', 'finance', 'gateway'];

/** Draws the whole of a storm from its seed; `points` are the crash points of orders-saga. */
export function planStorm(seed: number, random: Random, points: readonly string[]): StormPlan {
  const environment = seed % 3 === 0 ? 'live' : 'sandbox';
  const references = Array.from({ length: random.between(24, 40) }, (_, at) =>
    newReference(`storm-${seed}-${at}`, at % 2, random),
  );
  const sends = references.flatMap((reference) =>
    Array.from({ length: random.between(1, 4) }, () => ({
      reference,
      body: random.chance(0.75) ? reference.bodies[0]! : reference.bodies.at(-1)!,
    })),
  );
  const own = references.map((reference) => ({ reference, body: reference.bodies[0]! }));
  return {
    seed,
    environment,
    deposits: [500_000, random.between(100, 300) * 100],
    clients: random.between(4, 8),
    // Dependencies in the queue are sent at the same instant: each reference's repetitions partly meet.
    sends: random.shuffle([...own, ...sends]).flatMap((send) => (random.chance(0.2) ? [send, send] : [send])),
    faults: Array.from({ length: random.between(4, 7) }, () => newFault(random, points, environment)),
  };
}

function newReference(id: string, partner: number, random: Random): Reference {
  const body = newBody(id, random);
  const altered = random.chance(0.25) ? newBody(id, random, body.product) : body;
  return { id, partner, bodies: isDeepStrictEqual(altered.json, body.json) ? [body] : [body, altered] };
}

function newBody(externalReference: string, random: Random, product?: Body['product']): Body {
  const vendor = random.pick(BEHAVIOURS);
  if ((product ?? random.pick(['Topup', 'Esim'] as const)) === 'Topup') {
    const amount = random.between(500, 6_000);
    const phoneNumber = phoneEnding(PHONE_ENDS[vendor]);
    const json = { externalReference, geoScopeGlobalId: 'GEO-SA', amount: amount / 100, phoneNumber };
    return { product: 'Topup', vendor, amount, json };
  }
  const plan = random.pick(ESIMS);
  const json = {
    externalReference,
    geoScopeGlobalId: plan.geoScope,
    productSku: plan.sku,
    email: emailTagged(vendor === 'success' ? undefined : vendor),
    amount: plan.amount / 100,
  };
  return { product: 'Esim', vendor, amount: plan.amount, json };
}

function newFault(random: Random, points: readonly string[], environment: EnvironmentName): Fault {
  const afterMs = random.between(100, 1_500);
  const kind = random.pick(['crash-point', 'crash-point', 'kill', 'kill', 'stop'] as const);
  switch (kind) {
    case 'crash-point':
      return { kind, target: random.pick(points), afterMs, forMs: 0 };
    case 'kill':
      return {
        kind,
        target: random.pick(environment === 'live' ? [...KILLED, 'vendor-simulator'] : KILLED),
        afterMs,
        forMs: 0,
      };
    case 'stop':
      // Short of the lease of a storm's platform, and past it.
      return {
        kind,
        target: random.pick(['orders-saga', 'finance']),
        afterMs,
        forMs: random.pick([700, 2_200]),
      };
  }
}
