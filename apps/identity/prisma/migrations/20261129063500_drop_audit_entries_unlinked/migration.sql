-- Every audit entry is linked in the statement that records it, so nothing reads this any more.
DROP INDEX CONCURRENTLY IF EXISTS audit_entries_unlinked;
