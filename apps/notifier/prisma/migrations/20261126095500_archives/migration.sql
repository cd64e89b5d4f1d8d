-- What was archived: an object of the store for each, by its key below ARCHIVE_URL. Recorded in the transaction in which its rows go.
CREATE TABLE archives (
  object      text        PRIMARY KEY,
  table_name  text        NOT NULL,
  day         date        NOT NULL,
  row_count   bigint      NOT NULL,
  bytes       bigint      NOT NULL,
  sha256      text        NOT NULL,
  columns     jsonb       NOT NULL,
  schema      text        NOT NULL,
  archived_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX archives_by_day ON archives (table_name, day);
