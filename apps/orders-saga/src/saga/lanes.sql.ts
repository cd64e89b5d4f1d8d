/** A recursive common table expression: every lane that an order under way is in, found by hopping along `sagas_due`. */
export const FOUND_LANES = `found AS (
      (SELECT lane AS name FROM sagas WHERE state = 'Active' ORDER BY lane LIMIT 1)
      UNION ALL
      SELECT (SELECT s.lane FROM sagas s WHERE s.state = 'Active' AND s.lane > found.name ORDER BY s.lane LIMIT 1)
      FROM found WHERE found.name IS NOT NULL
    )`;
