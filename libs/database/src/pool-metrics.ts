import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

const GAUGE_NAME = 'database_pool_connections';
const watched = new WeakMap<Registry, Map<string, Pool>>();

/** Exports `database_pool_connections{pool,state}` with the states open, idle and waiting (callers without one). */
export function observePool(pool: Pool, name: string, registry: Registry): void {
  const known = watched.get(registry);
  if (known) {
    known.set(name, pool);
    return;
  }
  const pools = new Map([[name, pool]]);
  watched.set(registry, pools);
  new Gauge({
    name: GAUGE_NAME,
    help: 'Connections of a pool: open, idle of those, and callers waiting for one. Sum over instances.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [label, each] of pools) {
        this.set({ pool: label, state: 'open' }, each.totalCount);
        this.set({ pool: label, state: 'idle' }, each.idleCount);
        this.set({ pool: label, state: 'waiting' }, each.waitingCount);
      }
    },
  });
}
