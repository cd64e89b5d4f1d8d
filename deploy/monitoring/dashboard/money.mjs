import { p50to99, RATE } from './queries.mjs';

/** @type {import('./queries.mjs').Row} */
export const money = {
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
      [['max by (kind, environment) (finance_reservations_active)', '{{kind}} {{environment}}']],
    ],
    [
      'Oldest money held',
      'A live order is decided within 24 hours or handed to an operator; one of the sandbox may be left as it is.',
      's',
      [['max by (kind, environment) (finance_reservation_oldest_seconds)', '{{kind}} {{environment}}']],
    ],
    [
      'Orders refused by limits',
      'Reservations a second that a limit on spending refused: by amount, by the day, by the number of orders for a phone number.',
      'reqps',
      [[`sum by (limit) (rate(finance_limit_refusals_total[${RATE}]))`, '{{limit}}']],
    ],
    [
      'Comparisons with partners’ records',
      'How long they take, by quantile; the metric has their results too.',
      's',
      p50to99('partner_reconciliation_duration_seconds', []),
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
};
