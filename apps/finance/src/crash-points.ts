/** Every boundary at which a test may kill the process, in the order in which an approval passes them. */
export const CRASH_POINTS = [
  'approval.request.after',
  'approval.decide.after',
  'approval.record.before',
  'approval.record.after',
] as const;

/** One of CRASH_POINTS. */
export type CrashPoint = (typeof CRASH_POINTS)[number];
