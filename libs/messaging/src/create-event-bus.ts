import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { EventBus } from './event-bus';
import { createPostgresEventBus } from './postgres/postgres-event-bus';

/** Which bus, and who speaks. */
export interface EventBusOptions {
  /** `postgresql://…`, or `kafka://host:port[,host:port]`, `kafka+ssl://…` for TLS. */
  url: string;
  /** The service's name, as the brokers' logs and quotas show it. */
  clientId: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics?: Registry;
}

/** The event bus at a URL: the scheme says which transport. All of them keep the same promises (`EventBus`). */
export function createEventBus({ url, log, metrics }: EventBusOptions): EventBus {
  if (/^kafka(\+ssl)?:/.test(url)) throw new Error('EVENT_BUS_URL: the Kafka transport is not built in yet');
  return createPostgresEventBus({ connectionString: url, log, ...(metrics && { metrics }) });
}
