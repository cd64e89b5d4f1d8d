import {
  createPool,
  databaseAddress,
  createPrismaAdapter,
  createReplica,
  createRetentionJob,
  observeBacklogs,
  databaseReady,
  transactionAges,
} from '@reseller/database';
import {
  createEventBus,
  createOutboxRelay,
  eventBusOptions,
  outboxBacklog,
  outboxRetention,
} from '@reseller/messaging';
import { createJob, type Container, type ContainerDeps } from '@reseller/service-kit';
import { SIGHTING_RETENTION } from './certification/sighting.repository';
import { systemClock } from './clock';
import type { Config } from './config';
import { SIGN_IN_RETENTION } from './credential/sign-in.repository';
import { PrismaClient } from './generated/prisma/client';
import { createIdentity } from './identity.container';
import { OPERATOR_RETENTION } from './operator/operator.repository';

const ROTATION_CHECK_MS = 60_000;
const PUBLISH_HEAD_MS = 300_000;
const SETTLE_LIMITS_MS = 2_000;

/** Everything the running service consists of; there is a signing key, and it opens, before the first call is taken. */
export async function createContainer({ config, log, metrics }: ContainerDeps<Config>): Promise<Container> {
  const address = databaseAddress(config);
  const { DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ ...address, max, name: 'identity', log, metrics });
  const replica = createReplica(config, { max, name: 'identity', log, metrics });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const identity = createIdentity({ config, pool, replica, prisma, clock: systemClock, metrics });
  const disconnect = async (): Promise<void> => {
    await prisma.$disconnect();
    await pool.end();
    await replica?.close();
  };
  try {
    await identity.rotateKeys();
    await identity.openKeys();
    await identity.seedOperatorToken();
  } catch (error) {
    await disconnect();
    throw error;
  }
  const bus = await createEventBus({ ...eventBusOptions(config), clientId: 'identity', log, metrics });
  observeBacklogs({ pool, metrics, log }, [outboxBacklog(), transactionAges]);
  const rotation = createJob({
    name: 'rotate-signing-keys',
    afterStart: true,
    intervalMs: ROTATION_CHECK_MS,
    run: async () => {
      const { created, forgotten } = await identity.rotateKeys();
      if (created !== undefined || forgotten > 0) log.info({ created, forgotten }, 'signing keys rotated');
    },
    log,
    metrics,
  });
  const head = createJob({
    name: 'publish-audit-head',
    afterStart: true,
    intervalMs: PUBLISH_HEAD_MS,
    run: () => identity.publishAuditHead(log),
    log,
    metrics,
  });
  const limits = createJob({
    name: 'settle-limits',
    intervalMs: SETTLE_LIMITS_MS,
    run: async () => void (await identity.settleLimits()),
    log,
    metrics,
  });
  const retention = [
    outboxRetention(config),
    SIGN_IN_RETENTION,
    ...OPERATOR_RETENTION,
    ...SIGHTING_RETENTION,
  ];
  return {
    rpc: identity.rpc,
    jobs: [
      ...[rotation, head, limits],
      createRetentionJob(retention, { pool, log, metrics }),
      ...(replica ? [replica.job] : []),
    ],
    consumers: [createOutboxRelay({ ...address, writers: pool, bus, log, metrics })],
    ready: { database: databaseReady(pool) },
    close: async () => {
      await bus.close();
      await disconnect();
    },
  };
}
