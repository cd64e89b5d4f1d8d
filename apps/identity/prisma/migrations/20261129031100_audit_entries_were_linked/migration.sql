ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_link_check";
ALTER TABLE "audit_entries" VALIDATE CONSTRAINT "audit_entries_linked";
