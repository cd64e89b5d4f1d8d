import { API, RATE, p50to99 } from './queries.mjs';

/** @type {import('./queries.mjs').Row} */
export const partnerApi = {
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
};
