-- What the role that scent-commerce runs as may do; everything else is the owner's, who migrates (docs/platform/database-roles.md).
-- Written anew with the migrations. A table that is missing here cannot be used, and libs/database/test/grants.spec.ts fails.

-- Append-only: units that came back to stock stay on record.
GRANT SELECT, INSERT ON stock_returns TO :"runtime";

-- Change and stay.
GRANT SELECT, INSERT, UPDATE ON
  warehouses, brands, scents, variants, stock_levels, partner_prices, partner_profiles, checkouts, stock_reservations,
  catalog_sizes, resource_counts, sales_totals, known_rates, outbox_aggregate, reconciliation_checks
  TO :"runtime";

-- Go once they are over, or have had their time.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  carts, cart_lines, price_locks, price_changes, discount_codes, discount_redemptions, back_in_stock_registrations,
  stock_rises, daily_sales, outbox, inbox, dead_letters, reconciliation_differences, idempotency_keys
  TO :"runtime";

-- A view, only read.
GRANT SELECT ON stocked_variants TO :"runtime";

GRANT USAGE ON SEQUENCE back_in_stock_positions TO :"runtime";
