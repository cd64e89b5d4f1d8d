-- Bench row: POST top-up; entries of a saga's journal as its lines have them, recorded now.
CREATE OR REPLACE FUNCTION journal_lines(p_entries text) RETURNS text LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT regexp_replace(nullif(p_entries, ''), '^', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint || ' ', 'gn')
$$;
