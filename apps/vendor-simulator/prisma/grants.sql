-- What the role that vendor-simulator runs as may do; everything else is the owner's, who migrates (docs/platform/database-roles.md).
-- Written anew with the migrations. A table that is missing here cannot be used, and libs/database/test/grants.spec.ts fails.

-- Goes once it has had its time.
GRANT SELECT, INSERT, UPDATE, DELETE ON vendor_journal TO :"runtime";
