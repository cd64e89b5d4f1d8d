import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** A relay's metrics: events published and parked, rounds that failed; what waits is `outboxBacklog`. */
export function createRelayMetrics(registry: Registry): {
  published: Counter;
  parked: Counter;
  failures: Counter;
} {
  return {
    published: counter(
      registry,
      'outbox_published_total',
      'Events published from the outbox. Sum over instances.',
    ),
    parked: counter(
      registry,
      'outbox_parked_total',
      'Events that the event bus refused for good and the relay parked. Sum over instances.',
    ),
    failures: counter(
      registry,
      'outbox_failures_total',
      'Rounds of the outbox relay that failed. Sum over instances.',
    ),
  };
}

/** A bus's metrics by group and topic: lag in events and in seconds, events handled, handler failures, dead letters, paused partitions. */
export function createBusMetrics(registry: Registry): {
  lag: Gauge;
  lagSeconds: Gauge;
  owned: Gauge;
  handled: Counter;
  failures: Counter;
  dead: Counter;
  pausedSince: Gauge;
} {
  const labels = ['group', 'topic'];
  return {
    lag: gauge(
      registry,
      'event_bus_group_lag_events',
      'Events stored that the group has not committed. Every instance shows the whole group: take max().',
      labels,
    ),
    lagSeconds: gauge(
      registry,
      'event_bus_group_lag_seconds',
      'How long the oldest event that the group has not committed has been stored; on Kafka an instance knows it of its own partitions only: take max().',
      labels,
    ),
    owned: gauge(
      registry,
      'event_bus_partitions_owned',
      'Partitions that this member of the group has. Sum over instances.',
      labels,
    ),
    handled: counter(
      registry,
      'event_bus_handled_total',
      'Events whose offset was committed. Sum over instances.',
      labels,
    ),
    failures: counter(
      registry,
      'event_bus_handler_failures_total',
      'Handler calls that rejected. Sum over instances.',
      labels,
    ),
    dead: counter(
      registry,
      'event_bus_dead_letters_total',
      'Events that became dead letters. Sum over instances.',
      labels,
    ),
    pausedSince: gauge(
      registry,
      'event_bus_partition_paused_since_seconds',
      'When a fault outside of its events paused the partition, in seconds since 1970; absent while it is not paused. An instance shows its own partitions only: take max().',
      ['group', 'topic', 'partition'],
    ),
  };
}

/** Shows a group's counters as 0 from its start on: the first dead letter is then a rise, and no new series. */
export function startAtZero(
  { handled, failures, dead }: Pick<ReturnType<typeof createBusMetrics>, 'handled' | 'failures' | 'dead'>,
  group: string,
  topics: readonly string[],
): void {
  for (const topic of topics) for (const each of [handled, failures, dead]) each.inc({ group, topic }, 0);
}

/** A registry takes a name once; several relays or buses of a process share the metric. */
function counter(registry: Registry, name: string, help: string, labelNames: string[] = []): Counter {
  const known = registry.getSingleMetric(name) as Counter | undefined;
  return known ?? new Counter({ name, help, labelNames, registers: [registry] });
}

function gauge(registry: Registry, name: string, help: string, labelNames: string[] = []): Gauge {
  const known = registry.getSingleMetric(name) as Gauge | undefined;
  return known ?? new Gauge({ name, help, labelNames, registers: [registry] });
}
