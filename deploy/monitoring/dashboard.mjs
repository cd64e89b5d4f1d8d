// The overview as data: a row is a title and its panels, a panel a title, what it says, a unit and its expressions.
// `npm run monitoring` writes it out as Grafana's JSON; ids and places follow from the order here.

const RATE = '$__rate_interval';
const API = 'job="gateway", route=~"/api/v1/.+", instance=~"$instance"';
const OF = 'service=~"$service", instance=~"$instance"';

const p50to99 = (metric, by, matchers = '') =>
  [0.5, 0.95, 0.99].map((q) => [
    `histogram_quantile(${q}, sum by (${['le', ...by].join(', ')}) (rate(${metric}_bucket{${matchers}}[${RATE}])))`,
    `p${q * 100}${by.map((label) => ` {{${label}}}`).join('')}`,
  ]);

/** @type {{ title: string, panels: [title: string, description: string, unit: string, targets: [expr: string, legend: string][]][] }[]} */
export const rows = [
  {
    title: 'Partner API',
    panels: [
      [
        'Requests',
        'Responses a second of the partner API by class of status.',
        'reqps',
        [[`sum by (status) (rate(http_request_duration_seconds_count{${API}}[${RATE}]))`, '{{status}}']],
      ],
      [
        'Share of faults',
        'Responses of 500 and more. The objective is one in a thousand over 30 days.',
        'percentunit',
        [
          ['gateway:request_errors:ratio_rate5m', 'over 5 minutes'],
          ['gateway:request_errors:ratio_rate6h', 'over 6 hours'],
        ],
      ],
      [
        'Duration of reads',
        'GET, by quantile. The objective is 99 % within half a second.',
        's',
        p50to99('http_request_duration_seconds', [], `${API}, method="GET"`),
      ],
      [
        'Duration of creates and changes',
        'All other methods; creating an order waits up to ten seconds for its vendor.',
        's',
        p50to99('http_request_duration_seconds', [], `${API}, method!="GET"`),
      ],
      [
        'Busiest routes',
        'The ten routes with the most requests.',
        'reqps',
        [
          [
            `topk(10, sum by (method, route) (rate(http_request_duration_seconds_count{${API}}[${RATE}])))`,
            '{{method}} {{route}}',
          ],
        ],
      ],
      [
        'At the door',
        'By class of work: refused for want of room, a second; how many may be under way at once, are, and wait.',
        'short',
        [
          [`sum by (class) (rate(gateway_admission_refused_total[${RATE}]))`, 'refused {{class}}'],
          ['sum by (class) (gateway_admission_limit)', 'limit {{class}}'],
          ['sum by (class) (gateway_admission_under_way)', 'under way {{class}}'],
          ['sum by (class) (gateway_admission_waiting)', 'waiting {{class}}'],
        ],
      ],
      [
        'Faults by route and code',
        'Errors by code of the catalogue, the ten most frequent.',
        'reqps',
        [
          [
            `topk(10, sum by (route, code) (rate(http_request_errors_total{${API}}[${RATE}])))`,
            '{{code}} {{route}}',
          ],
        ],
      ],
    ],
  },
  {
    title: 'Orders and sagas',
    panels: [
      [
        'Orders ended',
        'Orders whose saga ended, by product and outcome. A scent order that is paid ends as Processing.',
        'ops',
        [
          [
            `sum by (product, outcome) (rate(order_completion_seconds_count[${RATE}]))`,
            '{{product}} {{outcome}}',
          ],
        ],
      ],
      [
        'From submission to end',
        'Quantiles by product, without what operators decided.',
        's',
        p50to99('order_completion_seconds', ['product']),
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
          ['max by (kind) (order_tasks_open)', 'not carried out: {{kind}}'],
        ],
      ],
    ],
  },
  {
    title: 'Money',
    panels: [
      [
        'Records that do not agree',
        'Open differences by check. Anything but 0 is an alert.',
        'short',
        [['max by (service, check) (reconciliation_differences)', '{{service}} {{check}}']],
      ],
      [
        'Age of the last full comparison',
        'Since a check last came through all its records.',
        's',
        [
          [
            'time() - (max by (service, check) (reconciliation_last_complete_timestamp_seconds) > 0)',
            '{{service}} {{check}}',
          ],
        ],
      ],
      [
        'Money held',
        'Active reservations: held for orders, and lapsed.',
        'short',
        [['max by (kind) (finance_reservations_active)', '{{kind}}']],
      ],
      [
        'Oldest money held',
        'An order is decided within 24 hours or handed to an operator.',
        's',
        [['max by (kind) (finance_reservation_oldest_seconds)', '{{kind}}']],
      ],
      [
        'Movements in a statement',
        'How many movements of a wallet share a statement: the more, the hotter the wallet.',
        'short',
        p50to99('finance_wallet_batch_size', []),
      ],
      [
        'Statements and rates',
        'Wallets without a statement for a month that ended, and the age of display rates in days.',
        'short',
        [
          ['max(finance_statements_overdue)', 'statements overdue'],
          ['max by (currency) (finance_rate_age_seconds) / 86400', 'rate of {{currency}}, days'],
        ],
      ],
    ],
  },
  {
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
        'From the change of an order to the first attempt to deliver it.',
        's',
        p50to99('webhook_first_attempt_delay_seconds', []),
      ],
      [
        'Webhook attempts',
        'By what came of them.',
        'ops',
        [[`sum by (outcome) (rate(webhook_attempt_duration_seconds_count[${RATE}]))`, '{{outcome}}']],
      ],
      [
        'Webhooks waiting',
        'All that is not finished, and receivers that keep every slot of theirs busy.',
        'short',
        [
          ['max(webhook_pending_deliveries)', 'pending'],
          ['max(webhook_subscriptions_at_limit)', 'receivers at their limit'],
          [`sum(increase(webhook_deliveries_total{outcome="DeadLettered"}[1h]))`, 'given up within an hour'],
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
    ],
  },
  {
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
        'By method and code; refusals are answers too.',
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
            `max by (service, instance) (nodejs_eventloop_lag_p99_seconds{${OF}})`,
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
      [
        'Memory',
        'Resident.',
        'bytes',
        [[`process_resident_memory_bytes{${OF}}`, '{{service}} {{instance}}']],
      ],
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
  },
];

const WIDTH = 8;
const HEIGHT = 8;
const COLUMNS = 24 / WIDTH;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The rows as Grafana's panels, each with an id and a place of its own. */
function panelsOf() {
  const panels = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { h: 1, w: 24, x: 0, y },
    });
    y += 1;
    row.panels.forEach(([title, description, unit, targets], n) => {
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title,
        description,
        datasource,
        gridPos: { h: HEIGHT, w: WIDTH, x: (n % COLUMNS) * WIDTH, y: y + Math.floor(n / COLUMNS) * HEIGHT },
        fieldConfig: {
          defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } },
          overrides: [],
        },
        options: {
          legend: { displayMode: 'list', placement: 'bottom' },
          tooltip: { mode: 'multi', sort: 'desc' },
        },
        targets: targets.map(([expr, legendFormat], at) => ({
          refId: String.fromCharCode(65 + at),
          datasource,
          expr,
          legendFormat,
        })),
      });
    });
    y += Math.ceil(row.panels.length / COLUMNS) * HEIGHT;
  }
  return panels;
}

const variable = (name, label, query) => ({
  name,
  label,
  type: 'query',
  datasource,
  query: { query, refId: name },
  definition: query,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { selected: true, text: ['All'], value: ['$__all'] },
  refresh: 2,
  sort: 1,
});

/** The whole dashboard. */
export const dashboard = {
  uid: 'partner-reseller',
  title: 'Partner Reseller: overview',
  tags: ['partner-reseller'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  timezone: 'utc',
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  annotations: {
    list: [
      {
        name: 'Alerts',
        datasource,
        enable: true,
        iconColor: 'red',
        expr: 'ALERTS{alertstate="firing", alertname!="Watchdog"}',
        titleFormat: '{{alertname}}',
      },
    ],
  },
  templating: {
    list: [
      {
        name: 'datasource',
        label: 'Data source',
        type: 'datasource',
        query: 'prometheus',
        current: {},
        hide: 0,
      },
      variable('service', 'Service', 'label_values(process_start_time_seconds, service)'),
      variable(
        'instance',
        'Instance',
        'label_values(process_start_time_seconds{service=~"$service"}, instance)',
      ),
    ],
  },
  links: [],
  panels: panelsOf(),
};
