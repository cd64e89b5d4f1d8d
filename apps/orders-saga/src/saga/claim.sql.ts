import type { PreparedStatement } from '@reseller/database';

/** The lane of orders whose lease ran out: where they stand is known once they are read. */
export const LAPSED = 'lapsed';

/** A recursive common table expression: every lane that an order under way is in, found by hopping along `sagas_due`. */
export const FOUND_LANES = `found AS (
      (SELECT lane AS name FROM sagas WHERE state = 'Active' ORDER BY lane LIMIT 1)
      UNION ALL
      SELECT (SELECT s.lane FROM sagas s WHERE s.state = 'Active' AND s.lane > found.name ORDER BY s.lane LIMIT 1)
      FROM found WHERE found.name IS NOT NULL
    )`;

/** Raw: the index of the claim, without reading what is due. Whether any order is under way. */
export const ANY_ACTIVE: PreparedStatement = {
  name: 'saga_any_active',
  text: `SELECT lane FROM sagas WHERE state = 'Active' ORDER BY lane LIMIT 1`,
};

/** Gives the lease to owner $2 for $3 milliseconds, under the next epoch. */
export const GRANT = `UPDATE sagas SET state = 'Active', lane = '${LAPSED}', lease_epoch = lease_epoch + 1, attempts = attempts + 1, lease_owner = $2,
  lease_until = clock_timestamp() + $3 * interval '1 millisecond', wake_at = clock_timestamp() + $3 * interval '1 millisecond'`;

/** The columns of a Grant. */
export const GRANTED = `order_id AS "orderId", lease_epoch::text AS epoch, attempts, is_processing_emitted AS "isProcessingEmitted", origin`;

const dueOf = (direction: '' | 'DESC', share: string): string =>
  `SELECT id FROM (SELECT order_id AS id FROM sagas WHERE state = 'Active' AND lane = lanes.name AND wake_at <= now()
      ORDER BY wake_at ${direction} LIMIT ${share} FOR NO KEY UPDATE SKIP LOCKED) AS locked`;

/**
 * Raw: a saga is claimed in the statement that finds it due, each by one claimer only. It never waits for a lock, so it may
 * take them in any order. Every lane is found by hopping along the index, as one of a vendor that is configured no more.
 * Half of a claim are those due longest, half those that came due last: neither waits for a backlog of the other.
 */
export const CLAIM_DUE: PreparedStatement = {
  name: 'saga_claim_due',
  text: `WITH RECURSIVE ${FOUND_LANES}, lanes AS (
      SELECT name, coalesce(known.slots, $1) AS slots
      FROM found LEFT JOIN unnest($4::text[], $5::integer[]) AS known (name, slots) USING (name) WHERE name IS NOT NULL
    ), due AS MATERIALIZED (
      SELECT claimed.id, lanes.name AS lane
      FROM lanes, LATERAL (${dueOf('', '(lanes.slots + 1) / 2')} UNION ALL ${dueOf('DESC', 'lanes.slots / 2')}) AS claimed
      WHERE lanes.slots > 0
    ), granted AS (${GRANT} WHERE order_id = ANY (ARRAY(SELECT id FROM due)) RETURNING ${GRANTED})
    SELECT granted.*, claimed.lane FROM granted JOIN (SELECT DISTINCT id, lane FROM due) AS claimed ON claimed.id = granted."orderId"`,
};

/** Raw: only the holder of the lease knows where the order belongs. */
export const MOVE_TO_LANE: PreparedStatement = {
  name: 'saga_move_to_lane',
  text: `UPDATE sagas SET lane = $3, lease_owner = NULL, lease_until = NULL, wake_at = now(), attempts = attempts - 1
    WHERE order_id = $1 AND lease_epoch = $2 AND state = 'Active'`,
};
