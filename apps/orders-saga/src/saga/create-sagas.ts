import { databaseAddress } from '@reseller/database';
import type { Job, Logger, PassCrashPoint } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { Config } from '../config';
import type { StoredProduct } from '../order/details-table';
import { InstanceLiveness } from './instance-liveness';
import { LeaseManager } from './lease-manager';
import { OwnerRepository } from './owner.repository';
import { Recovery } from './recovery';
import type { RunningAttempts } from './running-attempts';
import { SagaEngine } from './saga-engine';
import { sagaMetrics } from './saga-metrics';
import { parkingLimits } from './domain/failure';
import type { SagaDefinition } from './saga-plan';
import { SagaRepository } from './saga.repository';

/** What sagas are wired from; `steps` is what the steps of their plans work with. */
interface SagasDeps<StepDeps> {
  readonly config: Config;
  readonly pool: Pool;
  /** This process's name among those that drive sagas. */
  readonly owner: string;
  readonly running: RunningAttempts;
  readonly passCrashPoint: PassCrashPoint;
  readonly products: readonly StoredProduct[];
  readonly definitionOf: (product: string) => SagaDefinition<StepDeps>;
  readonly steps: StepDeps;
  /** How many sagas of each lane are carried on at once. */
  readonly laneSizes: ReadonlyMap<string, number>;
  /** Other work whose leases are freed with those of an instance that is gone. */
  readonly leasedJobs: readonly Job[];
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/** Everything that drives sagas. */
export interface Sagas<StepDeps> {
  readonly sagas: SagaRepository;
  readonly leases: LeaseManager;
  readonly engine: SagaEngine<StepDeps>;
  readonly recovery: Recovery;
  readonly liveness: InstanceLiveness;
}

/** Wires the engine, its leases, and what carries on the sagas of others. */
export function createSagas<StepDeps>(deps: SagasDeps<StepDeps>): Sagas<StepDeps> {
  const { config, pool, owner, log, metrics } = deps;
  const { SAGA_LEASE_MS: leaseMs } = config;
  const sagas = new SagaRepository(pool, { owner, ms: leaseMs }, deps.products);
  const owners = new OwnerRepository(pool, { ...databaseAddress(config), leaseMs, log });
  const leases = new LeaseManager(owners, { owner, leaseMs, log });
  const engine = new SagaEngine<StepDeps>({
    ...deps,
    sagas,
    leases,
    budgetMs: config.SAGA_BUDGET_MS,
    parking: parkingLimits(config),
    metrics: sagaMetrics(metrics),
  });
  const recovery = new Recovery({
    sagas,
    engine,
    leases,
    intervalMs: config.RECOVERY_INTERVAL_MS,
    laneSizes: deps.laneSizes,
    otherLaneSize: config.VENDOR_CONCURRENCY,
    log,
    metrics,
  });
  const liveness = new InstanceLiveness({
    owners,
    leases,
    graceMs: config.OWNER_GRACE_MS,
    intervalMs: config.OWNER_LOOK_MS,
    onFreed: () => {
      for (const job of [recovery.job, ...deps.leasedJobs]) job.wake();
    },
    log,
    metrics,
  });
  return { sagas, leases, engine, recovery, liveness };
}
