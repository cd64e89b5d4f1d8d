-- Who decided a return or a cancellation may be the partner itself, in its sandbox (spec §15.1); nobody else decided it then.
ALTER TABLE order_tasks ADD COLUMN by_partner boolean NOT NULL DEFAULT false;
-- safe: what the version before writes is allowed by the next constraint, too
ALTER TABLE return_requests DROP CONSTRAINT return_requests_check1;
ALTER TABLE return_requests ADD CONSTRAINT return_requests_undecided
  CHECK (status <> 'Pending' OR decided_by_user_id IS NULL) NOT VALID;
