/** How long the server lets a statement, an idle transaction and a whole transaction last, in milliseconds. */
export const DEFAULT_LIMITS = {
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
  transaction_timeout: 60_000,
} as const;

/** The zone of every session: Prisma takes the time that it is sent for UTC, whatever zone stands beside it. */
export const SESSION_TIME_ZONE = 'UTC';
