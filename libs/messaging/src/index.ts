export { addPartitionsCommand } from './add-partitions-command';
export { BackgroundLoop } from './background-loop';
export type { DomainEvent } from './domain-event';
export { awaitPartnerVersion } from './await-partner-version';
export type { PartnerVersions } from './await-partner-version';
export type { DeadLetterReason, DeadLetterState } from './dead-letters/dead-letter';
export type { EventHandler } from './dead-letters/dead-letters';
export { deadLettersCommand } from './dead-letters/command';
export { serveDeadLetters } from './dead-letters/serve';
export { createEventBus } from './create-event-bus';
export type { EventBusOptions } from './create-event-bus';
export type { Backoff, EventBus, Stoppable, Subscription } from './event-bus';
export { countAttempt, handleOnce } from './inbox';
export { appendToOutbox } from './outbox';
export type { OutboxEvent } from './outbox';
export { eventBusOptions } from './kafka/kafka-settings';
export type { KafkaConfig, KafkaSettings } from './kafka/kafka-settings';
export { outboxBacklog } from './outbox-backlog';
export { createOutboxRelay } from './outbox-relay';
export { parkedEventsCommand } from './parked-events-command';
export { ChannelListener } from './postgres/channel-listener';
export { createPostgresEventBus } from './postgres/postgres-event-bus';
export {
  deadLetterRetention,
  deadLettersConfig,
  inboxConfig,
  inboxRetention,
  outboxConfig,
  outboxRetention,
} from './messaging-retention';
export { createPartnerProjection, PARTNER_TOPIC, readPartnerEvent } from './partner-events';
export type { PartnerProjection } from './partner-events';
