import { SERVICES, DATABASES, type Between, type Part } from './between';
import { bringAbout, type DatabaseFault, type LastingFault } from './database-faults';
import type { BrownOutRoute } from './routes';
import type { Mode } from './tcp-proxy';

/** A way of being unwell. */
export type Fault = 'slow' | 'refusing' | 'half-open' | 'no connections' | DatabaseFault;

/** One line of the matrix: a part that is unwell in one way. */
export interface BrownOutCell {
  readonly name: string;
  readonly part: Part;
  readonly fault: Fault;
}

const ANYWHERE: readonly Fault[] = ['slow', 'refusing', 'half-open'];
const IN_DATABASES: readonly Fault[] = [...ANYWHERE, 'disk full', 'read-only', 'time-outs'];

const cell = (part: Part, fault: Fault): BrownOutCell => ({ name: `${part}, ${fault}`, part, fault });

/** Every part in every way; that a database has no connections left looks alike in all of them. */
export const CELLS: readonly BrownOutCell[] = [
  ...SERVICES.flatMap((service) => ANYWHERE.map((fault) => cell(service, fault))),
  ...DATABASES.flatMap((owner) => IN_DATABASES.map((fault) => cell(`database:${owner}`, fault))),
  cell('database:orders-saga', 'no connections'),
  cell('database:finance', 'no connections'),
];

const PROXIED: Readonly<Partial<Record<Fault, Mode>>> = {
  slow: 'slow',
  refusing: 'refusing',
  'half-open': 'half-open',
  'no connections': 'full',
};

/** Makes the cell's part unwell until it is lifted. */
export async function strike({ part, fault }: BrownOutCell, { proxies }: Between): Promise<LastingFault> {
  const mode = PROXIED[fault];
  if (mode === undefined) return bringAbout(fault as DatabaseFault, ownerOf(part));
  const proxy = proxies.get(part)!;
  await proxy.set(mode);
  return { lift: () => proxy.set('through') };
}

/** Who stops working when the part does. */
export const ownerOf = (part: Part): string => part.replace('database:', '');

/**
 * Whether a route must succeed all the same: because it needs others only, or because it reads, and what is unwell is only
 * that the database takes nothing in.
 */
export function isUnaffected({ needs, writes }: BrownOutRoute, { part, fault }: BrownOutCell): boolean {
  if (!(needs as readonly string[]).includes(ownerOf(part))) return true;
  return !writes && (fault === 'disk full' || fault === 'read-only');
}
