import { withTransaction } from '@reseller/database';
import type { Pool } from 'pg';
import { certifyWhoHasShownAll } from './certification.repository';
import { settleLimits } from './sighting.repository';

/** Decides the limits of which everything is known by now, and certifies whom that completes; returns how many have shown it. */
export const settleDueLimits = (pool: Pool): Promise<number> =>
  withTransaction(pool, async (sql) => {
    const shown = await settleLimits(sql);
    await certifyWhoHasShownAll(sql, shown);
    return shown.length;
  });
