import { withTransaction } from '@reseller/database';
import type { Pool } from 'pg';
import { certifyWhoHasShownAll } from './certification.repository';
import { isAnyLimit, settleLimits } from './sighting.repository';

/** Decides the limits of which everything is known by now, and certifies whom that completes; returns how many have shown it. */
export const settleDueLimits = async (pool: Pool): Promise<number> => {
  if (!(await isAnyLimit(pool))) return 0;
  return withTransaction(pool, async (sql) => {
    const shown = await settleLimits(sql);
    await certifyWhoHasShownAll(sql, shown);
    return shown.length;
  });
};
