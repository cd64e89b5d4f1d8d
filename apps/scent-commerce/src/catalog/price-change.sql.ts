// What a new list price does to a variant v, for whoever sets one (spec §5.5).

/** Keeps the earlier price when `price` is lower; it goes into the SET of an update of variants v. */
export const lowered = (price: string): string => `
  lowered_from = CASE WHEN ${price} < v.list_price THEN v.list_price ELSE v.lowered_from END,
  lowered_at = CASE WHEN ${price} < v.list_price THEN clock_timestamp() ELSE v.lowered_at END`;

/**
 * An update of variants v from `before`, which `select` reads and locks (id, list_price), that also writes the changed prices into
 * price_changes; one row `id` for each variant.
 */
export const recordingPrices = (select: string, update: string): string => `
  WITH before AS MATERIALIZED (${select}),
    changed AS (${update} RETURNING v.id, before.list_price AS was, v.list_price AS is_now),
    recorded AS (
      INSERT INTO price_changes (variant_id, old_price, new_price) SELECT id, was, is_now FROM changed WHERE was <> is_now
    )
  SELECT id FROM changed`;
