-- What the role that finance runs as may do; everything else is the owner's, who migrates (docs/platform/database-roles.md).
-- Written anew with the migrations. A table that is missing here cannot be used, and libs/database/test/grants.spec.ts fails.

-- Append-only: a line of the ledger, what a settlement gave back and a copied piece of a statement never change and never go.
GRANT SELECT, INSERT ON ledger_transactions, ledger_entries, settlement_refunds, statement_pieces TO :"runtime";

-- Change and stay.
GRANT SELECT, INSERT, UPDATE ON
  wallets, reservations, settlement_lines, statements, partner_profiles, display_rates, approvals, outbox_aggregate,
  reconciliation_checks
  TO :"runtime";

-- Go once they have had their time.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  spending_limits, statement_copies, outbox, inbox, dead_letters, reconciliation_differences, replica_heartbeats
  TO :"runtime";

GRANT USAGE ON SEQUENCE ledger_transaction_id TO :"runtime";
