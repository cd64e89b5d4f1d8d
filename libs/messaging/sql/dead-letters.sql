-- The dead letters of one service's consumers, copied into a migration of its own as they stand here (libs/messaging).

-- Events that are wrong in themselves, or ended the process that handled them; kept until a person has decided (docs/adr/0004).
CREATE TABLE dead_letters (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  topic text NOT NULL,
  type text NOT NULL,
  aggregate_id text NOT NULL,
  aggregate_seq bigint NOT NULL,
  occurred_at timestamptz NOT NULL,
  payload bytea NOT NULL,
  headers jsonb NOT NULL,
  reason text NOT NULL CHECK (reason IN ('Undecodable', 'RuleBroken', 'EndsProcess')),
  message text NOT NULL,
  detail text NOT NULL,
  attempts integer NOT NULL CHECK (attempts > 0),
  first_failed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_failed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'Waiting' CHECK (state IN ('Waiting', 'Redriven', 'Dismissed')),
  decided_by text,
  decided_at timestamptz,
  notes text,
  request_id text,
  -- A crash between storing an event here and moving on past it stores it once.
  CONSTRAINT dead_letters_event_key UNIQUE (consumer, event_id),
  CONSTRAINT dead_letters_decided CHECK (
    (state = 'Waiting') = (decided_at IS NULL) AND (state = 'Waiting') = (decided_by IS NULL)
    AND (state <> 'Dismissed' OR notes IS NOT NULL))
);
CREATE INDEX dead_letters_newest ON dead_letters (first_failed_at DESC, id DESC);
CREATE INDEX dead_letters_waiting ON dead_letters (reason, id) WHERE state = 'Waiting';
CREATE INDEX dead_letters_decided_at ON dead_letters (decided_at) WHERE decided_at IS NOT NULL;
