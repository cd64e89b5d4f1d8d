import { existsSync, readFileSync, rmSync } from 'node:fs';

/**
 * Every boundary of the saga, and of the tasks that follow it, at which a test may kill the process, in the order in which
 * an order passes them.
 */
export const CRASH_POINTS = [
  'order.create.before',
  'order.create.after',
  'funds.reserve.before',
  'funds.reserve.after',
  'vendor.submit.before',
  'vendor.submit.after',
  'step.replace.before',
  'step.replace.after',
  'vendor.choose.before',
  'vendor.choose.after',
  'funds.capture.before',
  'funds.capture.after',
  'funds.release.before',
  'funds.release.after',
  'funds.refund.before',
  'funds.refund.after',
  'funds.settle.before',
  'funds.settle.after',
  'checkout.begin.before',
  'checkout.begin.after',
  'checkout.commit.before',
  'checkout.commit.after',
  'checkout.cancel.before',
  'checkout.cancel.after',
  'checkout.restock.before',
  'checkout.restock.after',
  'groups.cancel.before',
  'groups.cancel.after',
  'failure.note.after',
  'order.park.after',
  'approval.request.after',
  'approval.record.before',
  'decision.record.after',
  'order.withdraw.before',
  'order.withdraw.after',
  'order.end.after',
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
] as const;

/** One of CRASH_POINTS. */
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Marks a boundary, one of CRASH_POINTS; returns, unless this process was set to die right there. */
export type PassCrashPoint = (point: string) => void;

/** Where a process is to be killed, for tests only. */
export interface CrashSettings {
  /** Always at this boundary. */
  readonly point?: CrashPoint | undefined;
  /** Once, at the boundary that this file names; the file is removed by the process that dies for it. */
  readonly file?: string | undefined;
}

/** Kills this process without any clean-up at the boundary of its settings; without settings every boundary is passed. */
export function crashAt({ point: chosen, file }: CrashSettings): PassCrashPoint {
  return (point) => {
    if (point === chosen || (file !== undefined && wasNamed(file, point))) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
}

function wasNamed(file: string, point: string): boolean {
  if (!existsSync(file) || readFileSync(file, 'utf8').trim() !== point) return false;
  rmSync(file);
  return true;
}
