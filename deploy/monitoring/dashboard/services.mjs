import { OF, RATE } from './queries.mjs';

/** @type {import('./queries.mjs').Row} */
export const services = {
  title: 'Services',
  panels: [
    ['Instances up', 'Of each app.', 'short', [['sum by (job) (up{job=~"$service"})', '{{job}}']]],
    [
      'RPCs served',
      'A second, by service.',
      'reqps',
      [
        [
          `sum by (service, rpc_service) (rate(rpc_server_duration_seconds_count{${OF}}[${RATE}]))`,
          '{{service}} {{rpc_service}}',
        ],
      ],
    ],
    [
      'RPC errors served',
      'By method and code; refusals are responses too.',
      'reqps',
      [
        [
          `topk(10, sum by (service, method, code) (rate(rpc_server_duration_seconds_count{${OF}, code!="OK"}[${RATE}])))`,
          '{{service}} {{method}} {{code}}',
        ],
      ],
    ],
    [
      'RPC duration served, p99',
      'By method, the ten slowest.',
      's',
      [
        [
          `topk(10, histogram_quantile(0.99, sum by (le, service, method) (rate(rpc_server_duration_seconds_bucket{${OF}}[${RATE}]))))`,
          '{{service}} {{method}}',
        ],
      ],
    ],
    [
      'RPC duration as called, p99',
      'What a service waits for its dependencies.',
      's',
      [
        [
          `histogram_quantile(0.99, sum by (le, service, peer) (rate(rpc_client_duration_seconds_bucket{${OF}}[${RATE}])))`,
          '{{service}} asks {{peer}}',
        ],
      ],
    ],
    [
      'Calls that dependencies fail',
      'SERVICE_UNAVAILABLE and INTERNAL_ERROR as a share of calls.',
      'percentunit',
      [['rpc:failures:ratio_rate5m{service=~"$service"}', '{{service}} asks {{peer}}']],
    ],
    [
      'Database pools',
      'Connections open, and callers that wait for one.',
      'short',
      [
        [
          `sum by (service, pool, state) (database_pool_connections{${OF}, state!="idle"})`,
          '{{service}} {{pool}} {{state}}',
        ],
      ],
    ],
    [
      'Event loop, p99',
      'How late a turn comes.',
      's',
      [
        [
          `max by (service, instance) (clamp_min(nodejs_eventloop_lag_p99_seconds{${OF}} - 0.2, 0))`,
          '{{service}} {{instance}}',
        ],
      ],
    ],
    [
      'CPU',
      'Seconds of a core in a second.',
      'short',
      [[`rate(process_cpu_seconds_total{${OF}}[${RATE}])`, '{{service}} {{instance}}']],
    ],
    ['Memory', 'Resident.', 'bytes', [[`process_resident_memory_bytes{${OF}}`, '{{service}} {{instance}}']]],
    [
      'Jobs that fail',
      'Failed runs within five minutes.',
      'short',
      [
        [
          `sum by (service, job_name) (increase(job_runs_total{${OF}, outcome="failed"}[5m])) > 0`,
          '{{service}} {{job_name}}',
        ],
      ],
    ],
    [
      'Rate limiter and readings',
      '1 while a gateway limits by its own memory; readings of backlogs that failed within five minutes.',
      'short',
      [
        ['max(gateway_rate_limiter_degraded)', 'limiter degraded'],
        [
          `sum by (service, reading) (increase(backlog_reading_failures_total[5m])) > 0`,
          '{{service}} {{reading}}',
        ],
      ],
    ],
  ],
};
