-- The heartbeats of one service, copied into a migration of its own as it stands here (libs/database).

-- The newest beat of each process that reads from a replica: a replica that shows it shows all that was committed before it.
CREATE TABLE replica_heartbeats (
  instance uuid PRIMARY KEY,
  beat bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT statement_timestamp()
);
