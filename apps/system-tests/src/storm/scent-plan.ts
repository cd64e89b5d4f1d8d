import { SCENT_POINTS } from '../crash/scent-cells';
import type { EnvironmentName } from '../platform/platform-file';
import type { Fault } from './plan';
import type { Random } from './random';

/** A body that a customer's shop sends; two of one reference differ in their city. */
export interface ScentStormBody {
  readonly reference: string;
  readonly city: string;
  readonly hasCode: boolean;
}

/** One filling of a customer's cart and everything that is sent for it. */
export interface Round {
  /** Which variant, and how many. */
  readonly lines: readonly (readonly [variant: number, quantity: number])[];
  /** The first is the order's own; others are altered, or of a rival reference. */
  readonly bodies: readonly ScentStormBody[];
  /** Sent at once. */
  readonly sends: readonly ScentStormBody[];
}

/** A customer of a partner, who shops in rounds, one after the other. */
export interface Customer {
  readonly customerRef: string;
  readonly partner: number;
  readonly rounds: readonly Round[];
}

/** Everything that one seed decides about carts. */
export interface ScentStormPlan {
  readonly environment: EnvironmentName;
  /** Of each partner, in minor units; the last one is poor. */
  readonly deposits: readonly number[];
  /** Units of each variant: too few for all. */
  readonly stocks: readonly number[];
  /** Of each partner's code: redemptions, and hundredths of a percent. */
  readonly cap: number;
  readonly percentBasisPoints: number;
  readonly customers: readonly Customer[];
  readonly faults: readonly Fault[];
}

const VARIANTS = 3;
const KILLED = ['orders-saga', 'orders-saga', 'scent-commerce', 'scent-commerce', 'finance', 'gateway'];

/** Draws a storm over a few carts and a few scarce variants. */
export function planScentStorm(seed: number, random: Random): ScentStormPlan {
  return {
    environment: seed % 3 === 0 ? 'live' : 'sandbox',
    deposits: [100_000_000, random.between(500, 1_500) * 100],
    stocks: Array.from({ length: VARIANTS }, () => random.between(12, 36)),
    cap: random.between(2, 4),
    percentBasisPoints: random.between(100, 3_333),
    customers: Array.from({ length: random.between(5, 8) }, (_, at) => ({
      customerRef: `storm ${seed} – ${at}`,
      partner: at % 2,
      rounds: Array.from({ length: random.between(3, 6) }, (__, round) =>
        newRound(`scent-${seed}-${at}-${round}`, random),
      ),
    })),
    faults: Array.from({ length: random.between(4, 7) }, () => newFault(random)),
  };
}

function newRound(reference: string, random: Random): Round {
  const variants = random.shuffle(Array.from({ length: VARIANTS }, (_, at) => at));
  const lines = variants
    .slice(0, random.between(1, VARIANTS))
    .map((variant) => [variant, random.between(1, 3)] as const);
  const own = { reference, city: 'Riyadh', hasCode: random.chance(0.35) };
  const bodies = [own];
  if (random.chance(0.25)) bodies.push({ ...own, city: 'Jeddah' });
  if (random.chance(0.3))
    bodies.push({ ...own, reference: `${reference}-rival`, hasCode: random.chance(0.5) });
  const more = Array.from({ length: random.between(0, 3) }, () => random.pick(bodies));
  return { lines, bodies, sends: random.shuffle([...bodies, ...more]) };
}

function newFault(random: Random): Fault {
  const afterMs = random.between(100, 1_200);
  const kind = random.pick(['crash-point', 'crash-point', 'kill', 'kill', 'stop'] as const);
  if (kind === 'crash-point') return { kind, target: random.pick(SCENT_POINTS), afterMs, forMs: 0 };
  if (kind === 'kill') return { kind, target: random.pick(KILLED), afterMs, forMs: 0 };
  const target = random.pick(['orders-saga', 'finance', 'scent-commerce']);
  return { kind, target, afterMs, forMs: random.pick([700, 2_200]) };
}
