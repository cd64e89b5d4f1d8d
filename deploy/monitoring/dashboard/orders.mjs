import { RATE, p50to99 } from './queries.mjs';

/** @type {import('./queries.mjs').Row} */
export const orders = {
  title: 'Orders and sagas',
  panels: [
    [
      'Orders ended',
      'Live orders whose saga ended, by product and outcome. A scent order that is paid ends as Processing.',
      'ops',
      [
        [
          `sum by (product, outcome) (rate(order_completion_seconds_count{environment="live"}[${RATE}]))`,
          '{{product}} {{outcome}}',
        ],
      ],
    ],
    [
      'From submission to end',
      'Of live orders, quantiles by product, without what operators decided.',
      's',
      p50to99('order_completion_seconds', ['product'], 'environment="live"'),
    ],
    [
      'Orders under way',
      'By product and the step they stand at.',
      'short',
      [['max by (product, step) (saga_active)', '{{product}} {{step}}']],
    ],
    [
      'Longest at a step',
      'How long the order that stands longest has stood at its step.',
      's',
      [['max by (product, step) (saga_step_oldest_seconds)', '{{product}} {{step}}']],
    ],
    [
      'Due and not taken',
      'How long the order due longest has waited for an instance, by what it waits for; lapsed: its driver is gone.',
      's',
      [['max by (lane) (saga_lane_overdue_seconds)', '{{lane}}']],
    ],
    [
      'Vendor calls',
      'Calls to live vendors by what they returned; not-accepted and no-response are failures.',
      'ops',
      [
        [
          `sum by (vendor, outcome) (rate(vendor_call_duration_seconds_count[${RATE}]))`,
          '{{vendor}} {{outcome}}',
        ],
      ],
    ],
    [
      'Vendor breakers',
      '0 closed, 1 tried again, 2 left alone.',
      'short',
      [['max by (vendor) (vendor_breaker_state)', '{{vendor}}']],
    ],
    [
      'Waiting for operators',
      'Orders and return requests that need a decision, and decisions that are not carried out yet.',
      'short',
      [
        ['max by (what, environment) (operator_decisions_waiting)', '{{what}} {{environment}}'],
        ['max by (kind, environment) (order_tasks_open)', 'not carried out: {{kind}} {{environment}}'],
      ],
    ],
  ],
};
