import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CrashPoint } from '../src/crash-points';
import type { ScenarioName } from './products';

/** One way to die: where, what the vendor does, in the course of what, and what is left in the end. */
export interface CrashCell {
  readonly point: CrashPoint;
  readonly vendor: ScenarioName;
  readonly by: 'create' | 'withdrawal' | 'cancellation' | 'resolution' | 'reversal';
  readonly ends: 'Completed' | 'Failed' | 'Cancelled' | 'Reversed';
}

/** Boundaries that are passed only when an order changes vendors; failover-crash.spec.ts dies there. */
export const FAILOVER_POINTS = [
  'step.replace.before',
  'step.replace.after',
  'vendor.choose.before',
  'vendor.choose.after',
] as const satisfies readonly CrashPoint[];

/** Boundaries that only a scent order passes; scent-crash.spec.ts dies there and at those it shares with the others. */
export const SCENT_POINTS = [
  'checkout.begin.before',
  'checkout.begin.after',
  'funds.settle.before',
  'funds.settle.after',
  'checkout.commit.before',
  'checkout.commit.after',
  'checkout.cancel.before',
  'checkout.cancel.after',
] as const satisfies readonly CrashPoint[];

/** Boundaries of what operators decide of a paid scent order; fulfillment-crash.spec.ts dies there. */
export const TASK_POINTS = [
  'task.record.before',
  'task.record.after',
  'units.refund.before',
  'units.refund.after',
  'units.restock.before',
  'units.restock.after',
  'redemption.give-back.before',
  'redemption.give-back.after',
  'task.end.before',
  'task.end.after',
] as const satisfies readonly CrashPoint[];

/** Boundaries of what fails for good and of undoing a scent order; parking-crash.spec.ts dies there and at those it shares. */
export const PARKING_POINTS = [
  'failure.note.after',
  'order.park.after',
  'decision.record.after',
  'checkout.restock.before',
  'checkout.restock.after',
  'groups.cancel.before',
  'groups.cancel.after',
] as const satisfies readonly CrashPoint[];

/** Boundaries of a reversal that a second operator approves; approvals-crash.spec.ts dies there and at those it shares. */
export const APPROVAL_POINTS = [
  'approval.request.after',
  'approval.record.before',
] as const satisfies readonly CrashPoint[];

/** Boundaries of a page of an erasure; erasures-crash.spec.ts dies there. */
export const ERASURE_POINTS = [
  'erasure.page.before',
  'erasure.page.after',
] as const satisfies readonly CrashPoint[];

/** Data, for `npm run crash-matrix` runs the same cells through the whole platform. A new point is a new row. */
export const CRASH_CELLS = JSON.parse(
  readFileSync(path.join(__dirname, 'crash-cells.json'), 'utf8'),
) as readonly CrashCell[];
