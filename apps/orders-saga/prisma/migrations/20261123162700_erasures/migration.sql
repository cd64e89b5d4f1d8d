-- Recipients that are to be made unreadable (docs/adr/0043). One that is Running holds its recipient sealed; one that is over does not.
CREATE TABLE erasures (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('phoneNumber', 'email')),
  subject_hash text NOT NULL,
  reason text NOT NULL,
  status text NOT NULL DEFAULT 'Running' CHECK (status IN ('Running', 'Completed')),
  requested_by text NOT NULL,
  request_id text NOT NULL,
  requested_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz(3),
  sealed_recipient bytea,
  sealed_by text,
  -- Where the pass through the orders goes on, and the first order of it that has not ended; the next pass begins there.
  from_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  open_id uuid,
  next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  orders bigint NOT NULL DEFAULT 0,
  CONSTRAINT erasures_forget CHECK (
    (status = 'Running') = (sealed_recipient IS NOT NULL) AND (status = 'Running') = (sealed_by IS NOT NULL)
    AND (status = 'Completed') = (completed_at IS NOT NULL))
);
CREATE UNIQUE INDEX erasures_running ON erasures (kind, subject_hash) WHERE status = 'Running';
CREATE INDEX erasures_newest ON erasures (requested_at DESC, id DESC);
