-- What the role that identity runs as may do; everything else is the owner's, who migrates (docs/platform/database-roles.md).
-- Written anew with the migrations. A table that is missing here cannot be used, and libs/database/test/grants.spec.ts fails.

-- Append-only: an audit entry never changes and never goes.
GRANT SELECT, INSERT ON audit_entries TO :"runtime";
GRANT SELECT, UPDATE ON audit_heads TO :"runtime";

-- What was shown stays as it was shown.
GRANT SELECT, INSERT ON certification_steps TO :"runtime";

-- Change and stay.
GRANT SELECT, INSERT, UPDATE ON partners, credentials, certifications, operator_tokens, outbox_aggregate TO :"runtime";

-- Go once they have had their time; these never change meanwhile.
GRANT SELECT, INSERT, DELETE ON sign_ins, operator_sign_ins, certification_calls, certification_limits TO :"runtime";
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_sessions, signing_keys, certification_halves, outbox, replica_heartbeats TO :"runtime";

GRANT USAGE ON SEQUENCE partner_global_id_seq TO :"runtime";
