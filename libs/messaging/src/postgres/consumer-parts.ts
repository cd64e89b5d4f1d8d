import type { Logger } from 'pino';
import type { Pool } from 'pg';
import type { DomainEvent } from '../domain-event';
import type { Subscription } from '../event-bus';
import type { createBusMetrics } from '../messaging-metrics';

/** What a consumer of a group works with. */
export interface ConsumerParts {
  subscription: Subscription;
  pool: Pool;
  partitions: number;
  leaseMs: number;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics: ReturnType<typeof createBusMetrics> | undefined;
  ensureSchema: () => Promise<void>;
  publish: (events: DomainEvent[]) => Promise<void>;
}
