const P = '01900000-0000-7000-8000-000000000001';
const id = (n: number): string => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** Rows that were there before the migrations that follow `after`; each service has some in its busiest tables. */
export const earlierRows: Record<string, { after: string; sql: string }[]> = {
  identity: [
    {
      after: '20261122000000_baseline',
      sql: `
        INSERT INTO partners (id, name, path, display_currency) VALUES ('${P}', 'Acme', ARRAY['${P}']::uuid[], 'USD');
        INSERT INTO credentials (client_id, partner_id, environment, secret_hash)
        SELECT 'client-' || g, '${P}', 'sandbox', sha256(g::text::bytea) FROM generate_series(1, 20) AS g;
        INSERT INTO outbox_aggregate VALUES ('partner-1', 1);
        INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload)
        VALUES ('${id(9)}', 'reseller.identity.partner.v1', 'PartnerCreated', 'partner-1', 1, '\\x01');`,
    },
  ],
  finance: [
    {
      after: '20261122000000_baseline',
      sql: `
        INSERT INTO wallets (id, partner_id, environment, posted, last_seq, last_entry_at)
        VALUES ('${id(2)}', '${P}', 'sandbox', 100, 1, '2026-11-01Z');
        INSERT INTO ledger_transactions VALUES ('${id(3)}', 'credit:1', 'hash', 'credit', '${id(2)}', 'deposit', 100, '2026-11-01Z');
        INSERT INTO ledger_entries (tx_id, line, wallet_id, platform_account, seq, debit_seq, amount, balance_after,
                                  reference_type, reference_id, occurred_at)
        VALUES ('${id(3)}', 1, '${id(2)}', NULL, 1, 0, 100, 100, 'Deposit', 'deposit', '2026-11-01Z'),
               ('${id(3)}', 2, NULL, 'cash', NULL, NULL, -100, NULL, 'Deposit', 'deposit', '2026-11-01Z');
        INSERT INTO partner_profiles (partner_id, display_currency, version) VALUES ('${P}', 'USD', 3);
        INSERT INTO display_rates VALUES ('USD', 0.266667, '2026-11-01Z');`,
    },
  ],
  'orders-saga': [
    {
      after: '20261122000000_baseline',
      sql: `
        INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
                            request, geo_scope_global_id, amount, currency, status, submitted_at)
        SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(g), 12, '0'))::uuid, 'TOP-' || g, 'saga-' || g, '${P}', 'PRT-1',
               'sandbox', 'Topup', 'ref-' || g, '{"amount":"25"}', 'GEO-SA', 25, 'SAR',
               'Pending', '2026-11-01Z'::timestamptz + g * interval '1 hour' FROM generate_series(1, 60) AS g;
        UPDATE orders SET status = 'Processing';
        UPDATE orders SET status = 'Completed', completed_at = '2026-11-20Z' WHERE saga_id LIKE '%0';
        INSERT INTO sagas (order_id, state, lease_epoch)
        SELECT id, CASE status WHEN 'Processing' THEN 'Parked' ELSE 'Finished' END, 1 FROM orders;`,
    },
  ],
  'scent-commerce': [
    {
      after: '20261122000000_baseline',
      sql: `
        INSERT INTO warehouses (id, code, name) VALUES ('${id(20)}', 'RUH', 'Riyadh');
        INSERT INTO brands (id, name) VALUES ('${id(21)}', 'Maison');
        INSERT INTO scents (id, brand_id, brand_name, name, gender, concentration)
        VALUES ('${id(22)}', '${id(21)}', 'Maison', 'Oud', 'Unisex', 'EDP');
        INSERT INTO variants (id, scent_id, brand_id, warehouse_id, sku, size_ml, list_price, cost)
        SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(100 + g), 12, '0'))::uuid, '${id(22)}', '${id(21)}', '${id(20)}',
               'SKU-' || g, 50, 100 + g, 50 FROM generate_series(1, 30) AS g;
        INSERT INTO variant_stocks (variant_id, on_hand, sku, is_active) SELECT id, 40, sku, is_active FROM variants;
        INSERT INTO discount_codes (id, partner_id, environment, code, discount_type, value, is_active, product_scope)
        VALUES ('${id(30)}', '${P}', 'live', 'TEN', 'Percent', 10, true, 'All');
        INSERT INTO carts (id, partner_id, environment) VALUES ('${id(40)}', '${P}', 'live');`,
    },
  ],
  notifier: [
    {
      after: '20261122000000_baseline',
      sql: `
        INSERT INTO webhook_subscriptions (id, partner_id, environment, url, event_types, secret_ciphertext, secret_key_id)
        VALUES ('${id(50)}', '${P}', 'live', 'https://example.com', ARRAY['order.completed'], '\\x01', 'k');
        INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, body)
        VALUES ('${id(51)}', '${P}', 'live', 'order.completed', '2026-11-01Z', '{}');
        INSERT INTO webhook_pending_deliveries (event_id, subscription_id, event_type)
        VALUES ('${id(51)}', '${id(50)}', 'order.completed');
        INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, status, attempts)
        VALUES (uuidv7(), '${id(51)}', '${id(50)}', 'order.completed', 'Delivered', '[{"attemptNumber":1}]');`,
    },
  ],
};
