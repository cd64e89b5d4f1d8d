// What is kept about persons, by service, table and column: docs/platform/personal-data.md is written from it (npm run
// personal-data), and libs/database/test/personal-data.spec.ts holds it to the schemas. A column whose name or type may hold a
// person stands here, or below with what it holds instead.

const ORDERS_ERASED = 'erased on request';
const OUTBOX = '`OUTBOX_RETENTION_MS`, 1 day after it was published';
const DEAD = '`DEAD_LETTER_RETENTION_DAYS`, 90 days after a person decided';

/** Columns that hold a person: [service, table, column, what, how long, why]. */
export const PERSONAL = [
  [
    'orders-saga',
    'orders',
    'request',
    'phone number of a top-up, e-mail of an eSIM, shipping address and customer reference of a scent order',
    `as long as the order; ${ORDERS_ERASED}`,
    'a repetition of the reference is compared with it (spec §4.2)',
  ],
  [
    'orders-saga',
    'orders',
    'customer_ref',
    'customer reference, generated from the request',
    'as long as the order',
    'lists by customer',
  ],
  [
    'orders-saga',
    'esim_orders',
    'email',
    'e-mail address, beside what turns the eSIM on',
    `as long as the order; ${ORDERS_ERASED}`,
    'partners read it again',
  ],
  [
    'orders-saga',
    'sagas',
    'journal',
    "vendors' words, eSIM activation, operators' names and notes",
    `\`SAGA_JOURNAL_RETENTION_MS\`, 400 days; ${ORDERS_ERASED}`,
    'carrying on after a crash, the timeline',
  ],
  [
    'orders-saga',
    'vendor_journal',
    'recipient',
    'phone number or e-mail address of an order of the sandbox',
    `\`VENDOR_JOURNAL_RETENTION_MS\`, 90 days; ${ORDERS_ERASED}`,
    'the simulated vendor responds to a repetition as before',
  ],
  [
    'orders-saga',
    'vendor_journal',
    'activation',
    'what turns a simulated eSIM on',
    `\`VENDOR_JOURNAL_RETENTION_MS\`, 90 days; ${ORDERS_ERASED}`,
    'the same',
  ],
  [
    'orders-saga',
    'erasures',
    'sealed_recipient',
    'the recipient, sealed with `ERASURE_HASH_KEY`',
    'until the erasure is completed',
    'finding its orders',
  ],
  [
    'orders-saga',
    'outbox',
    'payload',
    'customer reference and external reference of an order; no phone number, e-mail or address',
    OUTBOX,
    'events of orders',
  ],
  [
    'scent-commerce',
    'carts',
    'customer_ref',
    'customer reference',
    '`CART_RETENTION_MS`, 90 days after it was abandoned; one that was ordered for ever',
    'one cart for each customer; a checkout refers to it',
  ],
  [
    'scent-commerce',
    'discount_redemptions',
    'customer_ref',
    'customer reference',
    'for ever',
    'caps of a code for each customer',
  ],
  [
    'scent-commerce',
    'back_in_stock_registrations',
    'customer_ref',
    'customer reference',
    '`REGISTRATION_RETENTION_MS`, 400 days',
    'whom the event is for',
  ],
  [
    'scent-commerce',
    'outbox',
    'payload',
    'customer reference of a registration',
    OUTBOX,
    'events of registrations',
  ],
  [
    'scent-commerce',
    'dead_letters',
    'payload',
    "a partner's events, which name it",
    DEAD,
    'a person decides by it',
  ],
  [
    'notifier',
    'webhook_events',
    'body',
    'customer reference and external reference; no phone number, e-mail or address',
    '62 days, by partition',
    'each attempt sends the same bytes, and the feed shows them',
  ],
  [
    'notifier',
    'dead_letters',
    'payload',
    'the same, of an event that could not be handled',
    DEAD,
    'a person decides by it',
  ],
  [
    'finance',
    'reservations',
    'recipient',
    "a hash that stands for a top-up's phone number on one day, by a key of that day that orders-saga forgets after 7 days",
    'as long as the reservation',
    "counting a day's top-ups of a number (spec §17.5)",
  ],
  [
    'finance',
    'statements',
    'email_to',
    "a partner's billing address",
    'for ever',
    'a locked document (spec §9)',
  ],
  ['finance', 'statements', 'partner_name', "a partner's name", 'for ever', 'a locked document (spec §9)'],
  ['finance', 'dead_letters', 'payload', "a partner's events, which name it", DEAD, 'a person decides by it'],
  ['identity', 'partners', 'name', "a partner's name", 'for ever', 'whom the platform sells to'],
  [
    'identity',
    'partners',
    'billing_email',
    "a partner's billing address",
    'until it is changed',
    'where statements go',
  ],
  [
    'identity',
    'sign_ins',
    'from_address',
    'the IP address that exchanged a credential',
    '90 days (spec §18.6)',
    'who used a credential',
  ],
  [
    'identity',
    'certifications',
    'waived_by_name',
    "an operator's name, with the reason in his words beside",
    'as long as the partner',
    'who let a partner go live without all steps (spec §17.6)',
  ],
  [
    'identity',
    'credentials',
    'last_used_from',
    'the IP address that used a credential last',
    'until it is used again',
    'who used a credential',
  ],
  [
    'identity',
    'operator_tokens',
    'name',
    "a program's or an operator's name",
    'for ever',
    'whom a change is named by',
  ],
  [
    'identity',
    'operator_sessions',
    'name',
    "an operator's name",
    "a day after the session's end",
    'whom a change is named by',
  ],
  ['identity', 'outbox', 'payload', "a partner's name and settings", OUTBOX, 'events of partners'],
  [
    'scent-commerce',
    'idempotency_keys',
    'response',
    'customer reference of a cart or registration',
    '24 hours',
    'a repetition of the key gets it again (spec §1.11)',
  ],
];

/** Columns that look as if they held a person and hold this: [pattern of service.table.column, what]. */
export const NOT_PERSONAL = [
  [/^(orders-saga|notifier)\.idempotency_keys\.response$/, 'ids, figures, and secrets that are sealed'],
  [/\.idempotency_keys\.memo$/, 'ids of an attempt under way'],
  [
    /^orders-saga\.partner_reconciliation_differences\.differences$/,
    "external references, amounts and statuses of a partner's own record",
  ],
  [/^notifier\.webhook_diagnoses\.checks$/, "what a partner's receiver returned for our own examples"],
  [/^orders-saga\.recipient_keys\.key$/, 'a key'],
  [/\.archives\.(table_name|columns)$/, 'names of a table and of its columns'],
  [/^finance\.outbox\.payload$/, 'ids and amounts'],
  [/\.(outbox|webhook_events|stock_rises|dead_letters)\.headers$/, 'trace and request ids'],
  [/^orders-saga\.(sagas|order_tasks)\.origin$/, 'trace and request ids'],
  [/^orders-saga\.sagas\.pending_change$/, "an order's figures, for a moment"],
  [/\.reconciliation_(checks\.name|differences\.check_name)$/, 'the name of a check'],
  [/\.approvals\.operation$/, 'the key of a movement'],
  [/^orders-saga\.(geo_scopes|esim_products)\.name$/, 'the name of what is sold'],
  [/^orders-saga\.orders\.vendor_name$/, 'the name of a vendor'],
  [
    /^scent-commerce\.(warehouses|brands|scents)\.(brand_)?name$/,
    'the name of what is sold, or where it lies',
  ],
  [/^scent-commerce\.price_locks\.pricing$/, 'prices'],
  [/^scent-commerce\.checkouts\.response$/, 'lines and prices'],
  [/^finance\.(settlement_refunds|statement_pieces)\.lines$/, 'ids, references and amounts'],
  [/^finance\.statements\.email_status(_reason)?$/, 'what became of the e-mail'],
  [
    /^identity\.(credentials\.secret_hash|signing_keys\.(public_jwk|sealed_private_key)|operator_(tokens\.token_hash|sessions\.session_hash|sign_ins\.sign_in_hash))$/,
    'a key, or a hash of a secret',
  ],
  [/^notifier\.webhook_subscriptions\.secret_ciphertext$/, 'a sealed secret'],
  [/^notifier\.webhook_(pending|finished)_deliveries\.attempts$/, 'status codes and times'],
];

const SMELL = /phone|mail|address|used_from|name|recipient|customer|journal/;

/** The columns of a Prisma schema that may hold a person: by their names, or because anything fits into them. */
export function columnsThatMayHoldAPerson(service, schema) {
  return [...schema.matchAll(/^model \w+ \{([\s\S]*?)^\}/gm)].flatMap(([, fields]) => {
    const table = /@@map\("(\w+)"\)/.exec(fields)?.[1];
    return fields.split('\n').flatMap((line) => {
      const [, field, type, rest] = /^\s+(\w+)\s+(String|Json|Bytes)\b(.*)/.exec(line) ?? [];
      if (!field) return [];
      const column = /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field;
      return SMELL.test(column) || type !== 'String' ? [`${service}.${table}.${column}`] : [];
    });
  });
}

/** Archived columns that are made of one that is erased on request, and what they leave out of it: [column, why it may be kept]. */
export const ARCHIVED_WITHOUT = [
  [
    'orders-saga.sagas.journal',
    'steps, their times and outcomes, vendors and codes; no words of anybody, no activation',
  ],
];
