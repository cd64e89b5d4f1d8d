-- What the role that orders-saga runs as may do; everything else is the owner's, who migrates (docs/platform/database-roles.md).
-- Written anew with the migrations. A table that is missing here cannot be used, and libs/database/test/grants.spec.ts fails.

-- Only read: they come with a migration.
GRANT SELECT ON geo_scopes, esim_products TO :"runtime";

-- Append-only: what a return request is about never changes.
GRANT SELECT, INSERT ON return_request_lines TO :"runtime";

-- Change and stay.
GRANT SELECT, INSERT, UPDATE ON
  scent_order_lines, fulfillment_groups, return_requests, order_tasks, approvals, erasures,
  outbox_aggregate, reconciliation_checks
  TO :"runtime";

-- Go with an order that was withdrawn before it was placed.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  orders, esim_orders, scent_orders, sagas
  TO :"runtime";

-- Go once they are counted or count nothing, or have had their time.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  saga_owners, order_totals, order_total_changes, hour_amounts, hour_durations, create_results, vendor_calls, vendor_journal, outbox, inbox, reconciliation_differences, idempotency_keys,
  recipient_keys, replica_heartbeats
  TO :"runtime";

-- Never change, and go when they have had their time.
GRANT SELECT, INSERT, DELETE ON partner_reconciliations, partner_reconciliation_differences TO :"runtime";

-- What is archived is recorded when it goes, and never changes.
GRANT SELECT, INSERT ON archives TO :"runtime";

-- A view of the sagas' journals.
GRANT SELECT ON saga_steps TO :"runtime";
