import type { DatabaseAddress } from '@reseller/database';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { EventBus } from './event-bus';
import type { KafkaSettings } from './kafka/kafka-settings';
import { createPostgresEventBus } from './postgres/postgres-event-bus';

/** Which bus, and who speaks; a bus on PostgreSQL may be behind a pooler. */
export interface EventBusOptions extends Omit<DatabaseAddress, 'connectionString'> {
  /** `postgresql://…`, or `kafka://host:port[,host:port]`, `kafka+ssl://…` for TLS. */
  url: string;
  /** The service's name, as the brokers' logs and quotas show it. */
  clientId: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics?: Registry;
  /** The settings of a bus on Kafka beside its address. */
  kafka?: KafkaSettings;
}

/**
 * The event bus at a URL: the scheme says which transport. All of them keep the same promises (`EventBus`). Only a bus on Kafka
 * loads its library.
 */
export async function createEventBus({
  url,
  clientId,
  log,
  metrics,
  kafka,
  ...address
}: EventBusOptions): Promise<EventBus> {
  const shared = { log, ...(metrics && { metrics }) };
  if (/^kafka(\+ssl)?:/.test(url)) {
    const { createKafkaEventBus } = await import('./kafka/kafka-event-bus');
    return createKafkaEventBus({ ...kafka, ...shared, url, clientId });
  }
  return createPostgresEventBus({ ...shared, ...address, connectionString: url });
}
