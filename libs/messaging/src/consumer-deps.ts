import type { Logger } from 'pino';
import type { Subscription } from './event-bus';
import type { createBusMetrics } from './messaging-metrics';

/** What a consumer of a group works with, on any transport. */
export interface ConsumerDeps {
  subscription: Subscription;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics: ReturnType<typeof createBusMetrics> | undefined;
}
