import { HISTORY } from './history.sql';

/** SQL for microseconds since 1970, so many milliseconds after the order. */
const us = (ms: number): string => `((extract(epoch FROM at) * 1000000)::bigint + ${ms * 1_000})`;

/** SQL for a line of a journal; the rest of its JSON behind the step may be an expression. */
const line = (ms: number, step: string, rest: string): string =>
  `${us(ms)} || ' ["${step}",0,' || ${rest} || ']'`;

const CREATED = [line(0, 'funds.reserve', `'null'`), line(0, 'order.created', `'"Done"'`)];
const SUBMITTED = [
  line(5, 'vendor.submit', `'null,{"vendor":"simulator"}'`),
  line(5, 'funds.reserve', `'"Done"'`),
];
const CHARGED = [
  line(20, 'funds.capture', `'"Done"'`),
  line(15, 'funds.capture', `'null'`),
  line(15, 'vendor.submit', `'"Done",{"vendorOrderId":"SEED-' || id || '","polls":0}'`),
];
const REVERSED = [
  line(60_000, 'operator.reverse', `'"Done"'`),
  line(60_000, 'funds.refund', `'"Done"'`),
  line(59_990, 'funds.refund', `'null'`),
  line(
    59_990,
    'operator.reverse',
    `'null,{"decision":"reverse","operator":"seed","requestId":"' || id || '","notes":""}'`,
  ),
];
const REFUSED = [
  line(20, 'funds.release', `'"Done"'`),
  line(15, 'funds.release', `'null'`),
  line(15, 'vendor.submit', `'"Refused",{"reason":"refused","polls":0}'`),
];
const UNKNOWN = [line(15, 'vendor.submit', `'"Unknown",{"reason":"the vendor does not know","polls":0}'`)];
const CANCELLED = [
  line(20, 'operator.cancel', `'"Done"'`),
  line(
    20,
    'operator.cancel',
    `'null,{"decision":"cancel","operator":"seed","requestId":"' || id || '","notes":""}'`,
  ),
];

/** As sagas.journal holds it: an entry a line, the newest first. */
const JOURNALS: Readonly<Record<string, readonly string[]>> = {
  Completed: [...CHARGED, ...SUBMITTED, ...CREATED],
  Reversed: [...REVERSED, ...CHARGED, ...SUBMITTED, ...CREATED],
  Failed: [...REFUSED, ...SUBMITTED, ...CREATED],
  InterventionRequired: [...UNKNOWN, ...SUBMITTED, ...CREATED],
  Cancelled: [...CANCELLED, ...CREATED],
};

/** When each status came, in milliseconds after the order. */
const CHANGES: Readonly<Record<string, readonly (readonly [ms: number, status: string])[]>> = {
  Completed: [
    [5, 'Processing'],
    [20, 'Completed'],
  ],
  Reversed: [
    [5, 'Processing'],
    [20, 'Completed'],
    [60_000, 'Reversed'],
  ],
  Failed: [
    [5, 'Processing'],
    [20, 'Failed'],
  ],
  InterventionRequired: [
    [5, 'Processing'],
    [15, 'InterventionRequired'],
  ],
  Cancelled: [[20, 'Cancelled']],
};

/** SQL that has an expression for each status. */
const byStatus = (expressions: Readonly<Record<string, string>>): string =>
  `CASE status ${Object.entries(expressions)
    .map(([status, expression]) => `WHEN '${status}' THEN ${expression}`)
    .join(' ')} END`;

const each = <T>(of: Readonly<Record<string, T>>, write: (one: T) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(of).map(([status, one]) => [status, write(one)]));

const JOURNAL = byStatus(each(JOURNALS, (lines) => lines.join(` || E'\\n' || `)));
const STATUS_LOG = byStatus(
  each(CHANGES, (changes) => changes.map(([ms, status]) => `${us(ms)} || E' ${status}\\n'`).join(' || ')),
);

/** As long as orders-saga keeps the journals of finished sagas. */
const JOURNAL_DAYS = 400;
const KEPT_JOURNAL = `CASE WHEN status <> 'InterventionRequired' AND at < $8::timestamptz - interval '${JOURNAL_DAYS} days' THEN '' ELSE ${JOURNAL} END`;

/** Orders of a piece ($1 to $8) of the partner whose global id is $9, with their sagas, as their services would have left them. */
export const INSERT_ORDERS = `
  WITH made AS MATERIALIZED (${HISTORY}),
  placed AS (
    INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference, request,
      geo_scope_global_id, amount, currency, status, status_description, vendor_name, vendor_order_id, vendor_submitted_at,
      error_message, failure_code, submitted_at, completed_at, status_log)
    SELECT id, global_id, id::text, $1::uuid, $9::text, $2::text, CASE WHEN is_esim THEN 'Esim' ELSE 'Topup' END, reference,
      CASE WHEN is_esim THEN '{}' ELSE jsonb_build_object('amount', amount::text, 'sagaId', NULL, 'phoneNumber', phone, 'geoScopeGlobalId', 'GEO-SA') END,
      'GEO-SA', amount, 'SAR', status, CASE status WHEN 'InterventionRequired' THEN 'the vendor does not know' END,
      CASE WHEN status <> 'Cancelled' THEN 'simulator' END, CASE WHEN status IN ('Completed', 'Reversed') THEN 'SEED-' || id END,
      CASE WHEN status <> 'Cancelled' THEN at + interval '5 ms' END,
      CASE status WHEN 'Failed' THEN 'refused' END, CASE status WHEN 'Failed' THEN 'VENDOR_REFUSED' END,
      at, CASE WHEN status <> 'InterventionRequired' THEN at + interval '20 ms' END, ${STATUS_LOG}
    FROM made
  ), esims AS (
    INSERT INTO esim_orders (order_id, product_sku, email, data_allowance, validity_days)
    SELECT id, 'ESIM-SA-1GB-7D', 'traveller-' || id || '@example.com', 1, 7 FROM made WHERE is_esim
  ), carried AS (
    INSERT INTO sagas (order_id, state, lease_epoch, journal)
    SELECT id, CASE status WHEN 'InterventionRequired' THEN 'Parked' ELSE 'Finished' END, 1, ${KEPT_JOURNAL} FROM made
  ), announced AS (
    INSERT INTO outbox_aggregate (aggregate_id, last_seq)
    SELECT id::text, CASE status WHEN 'Reversed' THEN 2 ELSE 1 END FROM made WHERE status <> 'InterventionRequired'
  )
  INSERT INTO order_total_changes (partner_id, environment, product, hour, to_status, orders)
  SELECT $1::uuid, $2::text, CASE WHEN is_esim THEN 'Esim' ELSE 'Topup' END, order_span(0, at), status, count(*)
  FROM made GROUP BY 3, 4, 5`;
