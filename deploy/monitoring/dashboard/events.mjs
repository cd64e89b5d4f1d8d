import { RATE, p50to99 } from './queries.mjs';

/** @type {import('./queries.mjs').Row} */
export const events = {
  title: 'Events and webhooks',
  panels: [
    [
      'Oldest unpublished event',
      'Of each service’s outbox.',
      's',
      [['max by (service) (outbox_oldest_unpublished_seconds)', '{{service}}']],
    ],
    [
      'Behind on events',
      'How long the oldest event that a group has not handled has been on the bus.',
      's',
      [['max by (group, topic) (event_bus_group_lag_seconds)', '{{group}} {{topic}}']],
    ],
    [
      'Events',
      'Published and handled a second, failures of handlers, and events given up.',
      'ops',
      [
        [`sum by (service) (rate(outbox_published_total[${RATE}]))`, 'published {{service}}'],
        [`sum by (group) (rate(event_bus_handled_total[${RATE}]))`, 'handled {{group}}'],
        [`sum by (group) (rate(event_bus_handler_failures_total[${RATE}]))`, 'failed {{group}}'],
        [`sum by (group) (rate(event_bus_dead_letters_total[${RATE}]))`, 'given up {{group}}'],
      ],
    ],
    [
      'Commit to first attempt',
      'From the change of an order to the first attempt to deliver it; taken: it may have waited for its own receiver.',
      's',
      p50to99('webhook_first_attempt_delay_seconds', ['slots']),
    ],
    [
      'Webhook attempts',
      'By what came of them.',
      'ops',
      [
        [
          `sum by (environment, outcome) (rate(webhook_attempt_duration_seconds_count[${RATE}]))`,
          '{{environment}} {{outcome}}',
        ],
      ],
    ],
    [
      'Webhooks waiting',
      'All that is not finished, and receivers that keep every slot of theirs busy.',
      'short',
      [
        ['max(webhook_pending_deliveries)', 'pending'],
        ['max by (environment) (webhook_subscriptions_at_limit)', '{{environment}} receivers at their limit'],
        [
          'max(webhook_partners{environment="live", receivers="failing"})',
          'live partners whose receivers fail',
        ],
        [
          `sum by (environment) (increase(webhook_deliveries_total{outcome="DeadLettered"}[1h]))`,
          '{{environment}}, given up within an hour',
        ],
      ],
    ],
    [
      'Oldest webhook due',
      'Of those that could be sent at once (ours), and of all (their receivers’ too).',
      's',
      [
        ['max(webhook_oldest_unclaimed_seconds)', 'could be sent'],
        ['max(webhook_oldest_due_seconds)', 'all'],
      ],
    ],
    [
      'Receivers tried out',
      'Diagnoses within an hour by grade.',
      'short',
      [['sum by (grade) (increase(webhook_diagnoses_total[1h]))', '{{grade}}']],
    ],
  ],
};
