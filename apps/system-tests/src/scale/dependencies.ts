import { startKafka, startRedis } from '@reseller/testing';
import { PGBOUNCER, poolerFaults } from '../pooling/pgbouncer';
import type { Dependency } from './faults';
import type { ScaleOptions } from './options';

/** What the platform stands on beside PostgreSQL, each a server of this run's own. */
export interface Dependencies {
  /** How the platform finds them. */
  readonly env: Record<string, string>;
  readonly all: readonly Dependency[];
  remove(): Promise<void>;
}

/** Starts Redis and, on request, Kafka. */
export async function startDependencies({ bus, isPooled }: ScaleOptions): Promise<Dependencies> {
  const redis = await startRedis();
  const kafka = bus === 'kafka' ? await startKafka() : undefined;
  return {
    env: {
      REDIS_URL: redis.url,
      ...(kafka && { EVENT_BUS_URL: `kafka://${kafka.brokers}` }),
      ...(isPooled && { PGBOUNCER_BIN: PGBOUNCER }),
    },
    all: [
      { name: 'Redis', kill: redis.kill, start: redis.start },
      ...(isPooled ? poolerFaults() : []),
      ...(kafka ? [{ name: 'Kafka', kill: kafka.kill, start: kafka.start }] : []),
    ],
    remove: async () => {
      await redis.remove();
      await kafka?.remove();
    },
  };
}
