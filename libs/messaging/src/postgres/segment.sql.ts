/** How the log is divided into segments, and how those go. */
export const SEGMENT = `
-- Begins a new segment when the newest is older than p_period or larger than p_bytes. Attaching a table waits for no reader or
-- writer and holds none up. Returns the new segment, or null.
CREATE OR REPLACE FUNCTION event_bus.begin_segment(p_period interval, p_bytes bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE newest event_bus.segment; begun integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('reseller.event_bus.segment', 0)) THEN RETURN NULL; END IF;
  SELECT * INTO newest FROM event_bus.segment ORDER BY segment DESC LIMIT 1;
  IF newest.begins_at > clock_timestamp() - p_period
     AND pg_total_relation_size(('event_bus.segment_' || newest.segment)::regclass) < p_bytes THEN RETURN NULL; END IF;
  begun := newest.segment + 1;
  EXECUTE format('CREATE TABLE event_bus.segment_%s (LIKE event_bus.log INCLUDING DEFAULTS)', begun);
  EXECUTE format('ALTER TABLE event_bus.log ATTACH PARTITION event_bus.segment_%s FOR VALUES FROM (%s) TO (%s)',
                 begun, begun, begun + 1);
  INSERT INTO event_bus.segment VALUES (begun, clock_timestamp());
  RETURN begun;
END $$;

-- Drops the oldest segment when its last event is older than p_keep and every group is past it; returns it, or null when there is
-- none to go or somebody is in the way. A drop needs the log for itself: it waits a moment only, for everybody else would
-- wait behind it, and does not go on while a dump has the log open.
CREATE OR REPLACE FUNCTION event_bus.drop_segment(p_keep interval) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE oldest integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('reseller.event_bus.segment', 0)) THEN RETURN NULL; END IF;
  SELECT s.segment INTO oldest FROM event_bus.segment AS s
  WHERE s.segment = (SELECT min(segment) FROM event_bus.segment)
    AND EXISTS (SELECT FROM event_bus.segment AS n WHERE n.segment = s.segment + 1 AND n.begins_at < clock_timestamp() - p_keep)
    AND NOT EXISTS (
      SELECT FROM event_bus.group_partition AS g CROSS JOIN LATERAL (
        SELECT e."offset" FROM event_bus.log AS e
        WHERE e.topic = g.topic AND e.partition = g.partition AND e.segment = s.segment ORDER BY e."offset" DESC LIMIT 1) AS last
      WHERE last."offset" >= greatest(g.committed_offset, pg_sequence_last_value(event_bus.cursor_of(g.cursor_id))));
  IF oldest IS NULL THEN RETURN NULL; END IF;
  UPDATE event_bus.partition_base AS b SET next_offset = last."offset" + 1
  FROM event_bus.partition_base AS p CROSS JOIN LATERAL (
    SELECT e."offset" FROM event_bus.log AS e
    WHERE e.topic = p.topic AND e.partition = p.partition AND e.segment = oldest ORDER BY e."offset" DESC LIMIT 1) AS last
  WHERE b.topic = p.topic AND b.partition = p.partition AND b.next_offset <= last."offset";
  PERFORM set_config('lock_timeout', '50ms', true);
  LOCK TABLE event_bus.log IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('DROP TABLE event_bus.segment_%s', oldest);
  DELETE FROM event_bus.segment WHERE segment = oldest;
  RETURN oldest;
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;
END $$;
`;
