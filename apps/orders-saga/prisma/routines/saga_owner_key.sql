-- Invariant: an owner has one lock, whoever takes or tries it.
CREATE OR REPLACE FUNCTION saga_owner_key(p_owner text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('saga_owner ' || p_owner, 0)
$$;
