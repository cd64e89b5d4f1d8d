// Whose rows each table holds, by service: what moves with a partner to another cell (docs/adr/0030). A table is named with the
// column that has its partner's id, with `column>table` where the partner is that of another table's row, or under what it is
// instead. One whose only key is another's id (`order_id`) is that row's and not here. check-partner-tables.mjs holds it to the schemas.

/** The same in every cell, copied to each. */
const COPIED = 'copied';
/** Of a cell itself: what is under way between services, leases, checks. */
const OF_CELL = 'of the cell';
/** Of those who run the platform. */
const OF_OPERATORS = 'of operators';
/** Of all partners together: the reason why a partner's tree does not cut cleanly. */
const SHARED = 'shared';

const MESSAGING = { outbox: OF_CELL, outbox_aggregate: OF_CELL };
const CONSUMING = { inbox: OF_CELL };
const ARCHIVING = { archives: OF_CELL };
const DEAD_LETTERS = { dead_letters: OF_CELL };
const REPLICATED = { replica_heartbeats: OF_CELL };
const RECONCILING = { reconciliation_checks: OF_CELL, reconciliation_differences: OF_CELL };

export const PARTNER_TABLES = {
  identity: {
    partners: 'id',
    credentials: 'partner_id',
    sign_ins: 'partner_id',
    certifications: 'partner_id',
    certification_steps: 'partner_id',
    certification_halves: 'partner_id',
    certification_limits: 'partner_id',
    certification_calls: 'partner_id',
    // One chain of hashes: it stays where it was written.
    audit_entries: OF_OPERATORS,
    audit_heads: OF_OPERATORS,
    operator_tokens: OF_OPERATORS,
    operator_sessions: OF_OPERATORS,
    operator_sign_ins: OF_OPERATORS,
    signing_keys: COPIED,
    ...REPLICATED,
    ...MESSAGING,
  },
  'orders-saga': {
    orders: 'partner_id',
    order_totals: 'partner_id',
    order_total_changes: 'partner_id',
    approvals: 'partner_id',
    idempotency_keys: 'partner_id',
    partner_reconciliations: 'partner_id',
    partner_reconciliation_differences: 'reconciliation_id>partner_reconciliations',
    scent_order_lines: 'order_id>scent_orders',
    fulfillment_groups: 'order_id>scent_orders',
    return_requests: 'order_id>scent_orders',
    return_request_lines: 'request_id>return_requests',
    order_tasks: 'order_id>orders',
    geo_scopes: COPIED,
    esim_products: COPIED,
    recipient_keys: COPIED,
    erasures: OF_OPERATORS,
    saga_owners: OF_CELL,
    create_results: OF_CELL,
    vendor_calls: OF_CELL,
    hour_amounts: OF_CELL,
    hour_durations: OF_CELL,
    vendor_journal: OF_CELL,
    ...REPLICATED,
    ...ARCHIVING,
    ...MESSAGING,
    ...CONSUMING,
    ...RECONCILING,
  },
  'scent-commerce': {
    partner_profiles: 'partner_id',
    partner_prices: 'partner_id',
    carts: 'partner_id',
    cart_lines: 'cart_id>carts',
    price_locks: 'partner_id',
    checkouts: 'partner_id',
    discount_codes: 'partner_id',
    discount_redemptions: 'code_id>discount_codes',
    stock_reservations: 'order_key>checkouts',
    stock_returns: 'order_key>checkouts',
    back_in_stock_registrations: 'partner_id',
    resource_counts: 'partner_id',
    idempotency_keys: 'partner_id',
    warehouses: COPIED,
    brands: COPIED,
    scents: COPIED,
    variants: COPIED,
    price_changes: COPIED,
    catalog_sizes: COPIED,
    known_rates: COPIED,
    stock_levels: SHARED,
    stock_rises: SHARED,
    daily_sales: SHARED,
    sales_totals: SHARED,
    ...MESSAGING,
    ...CONSUMING,
    ...RECONCILING,
    ...DEAD_LETTERS,
  },
  finance: {
    partner_profiles: 'partner_id',
    wallets: 'partner_id',
    spending_limits: 'partner_id',
    approvals: 'partner_id',
    statements: 'partner_id',
    statement_copies: 'statement_id>statements',
    statement_pieces: 'statement_id>statements',
    reservations: 'wallet_id>wallets',
    ledger_transactions: 'wallet_id>wallets',
    // Its lines of the platform's own accounts have no wallet; their transaction has.
    ledger_entries: 'tx_id>ledger_transactions',
    settlement_lines: 'tx_id>ledger_transactions',
    settlement_refunds: 'tx_id>ledger_transactions',
    display_rates: COPIED,
    ...REPLICATED,
    ...MESSAGING,
    ...CONSUMING,
    ...RECONCILING,
    ...DEAD_LETTERS,
  },
  notifier: {
    webhook_partners: 'partner_id',
    webhook_subscriptions: 'partner_id',
    webhook_events: 'partner_id',
    webhook_counts: 'partner_id',
    webhook_feeds: 'partner_id',
    webhook_feed_events: 'feed_id>webhook_feeds',
    idempotency_keys: 'partner_id',
    webhook_diagnoses: 'subscription_id>webhook_subscriptions',
    webhook_pending_deliveries: 'subscription_id>webhook_subscriptions',
    webhook_finished_deliveries: 'subscription_id>webhook_subscriptions',
    webhook_last_attempts: 'subscription_id>webhook_subscriptions',
    webhook_leases: 'subscription_id>webhook_subscriptions',
    webhook_delivery_counts: 'subscription_id>webhook_subscriptions',
    webhook_delivery_minutes: 'subscription_id>webhook_subscriptions',
    webhook_redeliveries: 'subscription_id>webhook_subscriptions',
    webhook_count_folds: OF_CELL,
    ...REPLICATED,
    ...DEAD_LETTERS,
    ...ARCHIVING,
  },
};

/** What stands in place of a column. */
export const WITHOUT_PARTNER = [COPIED, OF_CELL, OF_OPERATORS, SHARED];
