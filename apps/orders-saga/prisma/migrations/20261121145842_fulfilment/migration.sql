-- What happens to a paid scent order: tasks that operators set (spec §7.3) and return requests (spec §8).

-- An operator's decision that money follows. It is on record before any effect, fences what it is about, and is carried
-- out under idempotency keys made of its subject, by the request or, when that died, by whoever finds it due.
CREATE TABLE order_tasks (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('cancel-group', 'approve-return')),
  -- The fulfillment group's or the return request's id.
  subject_id uuid NOT NULL,
  operator text NOT NULL,
  -- Which entry of its step in saga_steps is this task's.
  journal_attempt integer NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'Open' CHECK (state IN ('Open', 'Done')),
  -- Who carries it out now. Two at once do no harm, they only do the work twice.
  lease_owner text,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT order_tasks_subject UNIQUE (kind, subject_id),
  CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CHECK (state = 'Open' OR lease_owner IS NULL)
) WITH (fillfactor = 80);
CREATE INDEX order_tasks_of_order ON order_tasks (order_id);
CREATE INDEX order_tasks_due ON order_tasks (next_at) WHERE state = 'Open';

CREATE TABLE return_requests (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  group_id uuid NOT NULL REFERENCES fulfillment_groups ON DELETE CASCADE,
  status text COLLATE "C" NOT NULL DEFAULT 'Pending' CHECK (status IN ('Pending', 'Approved', 'Declined')),
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_at timestamptz,
  decided_by_user_id uuid,
  decline_reason text,
  CHECK ((status = 'Pending') = (decided_at IS NULL)),
  CHECK ((status = 'Pending') = (decided_by_user_id IS NULL)),
  CHECK ((status = 'Declined') = (decline_reason IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX return_requests_newest_of_order ON return_requests (order_id, requested_at DESC, id DESC);
CREATE INDEX return_requests_newest ON return_requests (requested_at DESC, id DESC);
CREATE INDEX return_requests_newest_of_status ON return_requests (status, requested_at DESC, id DESC);

-- A decision is final (spec §8.2).
CREATE FUNCTION refuse_return_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'return request % cannot be % when it is %', OLD.id, NEW.status, OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'return_requests_moves', TABLE = 'return_requests';
END
$$;
CREATE TRIGGER return_requests_moves BEFORE UPDATE OF status ON return_requests FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND OLD.status <> 'Pending')
  EXECUTE FUNCTION refuse_return_decision();

CREATE TABLE return_request_lines (
  id uuid PRIMARY KEY,
  request_id uuid NOT NULL REFERENCES return_requests ON DELETE CASCADE,
  position integer NOT NULL,
  order_line_id uuid NOT NULL REFERENCES scent_order_lines ON DELETE CASCADE,
  quantity integer NOT NULL CHECK (quantity > 0),
  reason text COLLATE "C" NOT NULL
    CHECK (reason IN ('Damaged', 'WrongItem', 'NotAsDescribed', 'ChangedMind', 'Other')),
  CONSTRAINT return_request_lines_once UNIQUE (request_id, order_line_id)
);

-- As before, and the tasks of a process that is gone are due at once too.
CREATE OR REPLACE FUNCTION free_leases_of(p_owner text) RETURNS integer LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM saga_owners WHERE owner = p_owner AND pg_try_advisory_xact_lock_shared(saga_owner_key(p_owner))
    RETURNING owner
  ), freed AS (
    UPDATE sagas SET lease_until = clock_timestamp(), wake_at = clock_timestamp()
    FROM gone WHERE sagas.state = 'Active' AND sagas.lease_owner = gone.owner AND sagas.lease_until > clock_timestamp()
    RETURNING 1
  ), tasks AS (
    UPDATE order_tasks SET lease_owner = NULL, lease_until = NULL, next_at = clock_timestamp()
    FROM gone WHERE order_tasks.state = 'Open' AND order_tasks.lease_owner = gone.owner
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM freed)::integer + (SELECT count(*) FROM tasks)::integer
$$;
