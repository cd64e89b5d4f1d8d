/** Every boundary of the saga at which a test may kill the process, in the order in which an order passes them. */
export const CRASH_POINTS = [
  'order.create.before',
  'order.create.after',
  'funds.reserve.before',
  'funds.reserve.after',
  'vendor.submit.before',
  'vendor.submit.after',
  'funds.capture.before',
  'funds.capture.after',
  'funds.release.before',
  'funds.release.after',
  'funds.refund.before',
  'funds.refund.after',
  'order.withdraw.before',
  'order.withdraw.after',
  'order.end.after',
] as const;

/** One of CRASH_POINTS. */
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Marks a boundary of the saga; returns, unless this process was told to die right there. */
export type PassCrashPoint = (point: CrashPoint) => void;

/** Kills this process without any clean-up when it reaches the given point; without one every boundary is passed. */
export function crashAt(chosen: CrashPoint | undefined): PassCrashPoint {
  return (point) => {
    if (point === chosen) process.kill(process.pid, 'SIGKILL');
  };
}
