// What the last response of another service and the last write may take once the time for waiting is over.
const RESPONSE_MS = 1_000;

/** The time that one driving of a saga has. */
interface RunBudget {
  /** Aborts when the time for waiting is over. */
  readonly signal: AbortSignal;
  /** When the last response is to be there, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Gives timer and listeners back. */
  readonly clear: () => void;
}

/** Starts the time for waiting, which ends early with any of the signals, and in time for the caller's deadline. */
export function startBudget(
  budgetMs: number,
  deadlineAt: number | undefined,
  sources: readonly AbortSignal[],
): RunBudget {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const untilDeadlineMs = (deadlineAt ?? Number.POSITIVE_INFINITY) - Date.now() - 2 * RESPONSE_MS;
  const leftMs = Math.max(0, Math.min(budgetMs, untilDeadlineMs));
  const timer = setTimeout(stop, leftMs);
  for (const source of sources) {
    source.addEventListener('abort', stop);
    if (source.aborted) stop();
  }
  return {
    signal: controller.signal,
    endsAt: Date.now() + leftMs + RESPONSE_MS,
    clear: () => {
      clearTimeout(timer);
      for (const source of sources) source.removeEventListener('abort', stop);
    },
  };
}
