import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** A relay's metrics: outbox_published_total, outbox_failures_total, outbox_oldest_unpublished_seconds. */
export function createRelayMetrics(registry: Registry): {
  published: Counter;
  failures: Counter;
  oldest: Gauge;
} {
  return {
    published: counter(registry, 'outbox_published_total', 'Events published from the outbox.'),
    failures: counter(registry, 'outbox_failures_total', 'Rounds of the outbox relay that failed.'),
    oldest: gauge(registry, 'outbox_oldest_unpublished_seconds', 'Age of the oldest event being published.'),
  };
}

/** A bus's metrics by group: lag in events, events handled, handler failures, dead letters. */
export function createBusMetrics(registry: Registry): {
  lag: Gauge;
  handled: Counter;
  failures: Counter;
  dead: Counter;
} {
  const labels = ['group', 'topic'];
  return {
    lag: gauge(
      registry,
      'event_bus_group_lag_events',
      'Events stored that the group has not committed.',
      labels,
    ),
    handled: counter(registry, 'event_bus_handled_total', 'Events whose offset was committed.', labels),
    failures: counter(registry, 'event_bus_handler_failures_total', 'Handler calls that rejected.', labels),
    dead: counter(registry, 'event_bus_dead_letters_total', 'Events moved to the dead-letter topic.', labels),
  };
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
