import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findRoot } from '../platform/start-platform';

/** What a vendor does, by its row of spec §4.12. */
export type VendorBehaviour =
  | 'success'
  | 'fail'
  | 'outage'
  | 'pending'
  | 'pendingfail'
  | 'unknown'
  | 'dropped'
  | 'slow';

/** How an order comes to the place where something dies. */
export type Course = 'create' | 'withdrawal' | 'cancellation' | 'resolution' | 'reversal';

/** What an order is in the end. */
export type Ending = 'Completed' | 'Failed' | 'Cancelled' | 'Reversed';

/** orders-saga dies at a boundary of its saga. */
export interface PointCell {
  readonly point: string;
  readonly vendor: VendorBehaviour;
  readonly by: Course;
  readonly ends: Ending;
}

/** Any process is killed, or stands still past the lease, while an order is on its way. */
export interface KillCell {
  readonly service: string;
  /** working: the vendor works on the order; capturing: it has delivered, and the charge is under way. */
  readonly during: 'working' | 'capturing';
  readonly how: 'SIGKILL' | 'SIGSTOP';
}

/** The boundaries of the saga: the same data as the tests of orders-saga itself run on. */
export function readPointCells(): readonly PointCell[] {
  const file = path.join(findRoot(), 'apps/orders-saga/test/crash-cells.json');
  return JSON.parse(readFileSync(file, 'utf8')) as readonly PointCell[];
}

/** What else may die under an order. */
export const KILL_CELLS: readonly KillCell[] = [
  { service: 'gateway', during: 'working', how: 'SIGKILL' },
  { service: 'orders-saga', during: 'working', how: 'SIGKILL' },
  { service: 'orders-saga', during: 'working', how: 'SIGSTOP' },
  { service: 'finance', during: 'working', how: 'SIGKILL' },
  { service: 'finance', during: 'capturing', how: 'SIGKILL' },
  { service: 'vendor-simulator', during: 'working', how: 'SIGKILL' },
  { service: 'postgres', during: 'working', how: 'SIGKILL' },
];
