import { ApprovalRepository, approvalService } from '@reseller/approvals';
import {
  FundsServiceService,
  OrderFundsServiceService,
  PartnerServiceService,
  RateServiceService,
  SettlementServiceService,
  SpendingLimitServiceService,
  WalletServiceService,
} from '@reseller/contracts';
import {
  mapDatabaseOutage,
  Batcher,
  createPool,
  databaseAddress,
  createPrismaAdapter,
  createReplica,
  createRetentionJob,
  differenceRetention,
  observeBacklogs,
  databaseReady,
  serveReconciler,
  transactionAges,
} from '@reseller/database';
import {
  createEventBus,
  createOutboxRelay,
  deadLetterRetention,
  eventBusOptions,
  inboxRetention,
  outboxBacklog,
  outboxRetention,
  PARTNER_TOPIC,
  serveDeadLetters,
} from '@reseller/messaging';
import { createRpcClient, defineRpc } from '@reseller/rpc';
import { crashAt, type Container, type ContainerDeps } from '@reseller/service-kit';
import { approveMovement } from './approval/approve-movement';
import { financeBacklogs } from './backlog/backlogs';
import type { Config } from './config';
import { createFundsHandlers } from './funds/funds.handler';
import { PrismaClient } from './generated/prisma/client';
import { createLedger } from './ledger/create-ledger';
import type { WalletRef } from './ledger/domain/wallet-operation';
import { LedgerRepository } from './ledger/ledger.repository';
import { endFormerAncestorsLimits } from './limit/end-former-ancestors-limits';
import { createLimitHandlers } from './limit/limit.handler';
import { LimitRepository } from './limit/limit.repository';
import { PartnerDirectory } from './partner/partner-directory';
import { PartnerProfileRepository } from './partner/partner-profile.repository';
import { createPartnerConsumer } from './partner/partner.consumer';
import { createRateHandlers } from './rate/rate.handler';
import { RateRepository } from './rate/rate.repository';
import { ledgerChecks } from './reconciliation/ledger-checks';
import { createOrderFundsHandlers } from './reconciliation/order-funds.handler';
import { OrderFundsRepository } from './reconciliation/order-funds.repository';
import { createSettlementHandlers } from './settlement/settlement.handler';
import { SettlementRepository } from './settlement/settlement.repository';
import { createStatements } from './statement/create-statements';
import { BalanceRepository, type Balance } from './wallet/balance.repository';
import type { BalanceSource } from './wallet/get-balance';
import { FundingRepository } from './wallet/funding.repository';
import { TransactionRepository } from './wallet/transaction.repository';
import { createWalletHandlers } from './wallet/wallet.handler';
import { WalletRepository } from './wallet/wallet.repository';

const LARGEST_READ_BATCH = 256;
const READS_IN_FLIGHT = 1;
/** A caller of a read waits no longer than 2 s (spec §1.10), so no connection is worth waiting for longer. */
const ACQUIRE_TIMEOUT_MS = 1_500;
/** No statement of a report takes a second, whatever its period; one that does is ended, not waited for. */
const REPORT_STATEMENT_TIMEOUT_MS = 5_000;
const IDENTITY_DEADLINE_MS = 5_000;

/** Everything the running service consists of. */
export async function createContainer({
  config,
  log,
  metrics,
  security,
}: ContainerDeps<Config>): Promise<Container> {
  const address = databaseAddress(config);
  const { DATABASE_POOL_SIZE: poolSize } = config;
  const acquireTimeoutMs = ACQUIRE_TIMEOUT_MS;
  const pool = createPool({
    ...address,
    max: poolSize,
    name: 'finance',
    log,
    metrics,
    acquireTimeoutMs,
  });
  const reportPool = createPool({
    ...address,
    max: config.REPORT_POOL_SIZE,
    name: 'finance-reports',
    log,
    metrics,
    acquireTimeoutMs,
    statementTimeoutMs: REPORT_STATEMENT_TIMEOUT_MS,
  });
  const replica = createReplica(config, {
    max: config.REPORT_POOL_SIZE,
    name: 'finance',
    log,
    metrics,
    statementTimeoutMs: REPORT_STATEMENT_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const identity = createRpcClient(PartnerServiceService, config.IDENTITY_ADDRESS, {
    name: 'identity',
    defaultDeadlineMs: IDENTITY_DEADLINE_MS,
    log,
    metrics,
    security,
  });
  const bus = await createEventBus({ ...eventBusOptions(config), clientId: 'finance', log, metrics });

  const ledgerRepository = new LedgerRepository(pool, config.RESERVATION_TTL_MS);
  const ledger = createLedger({ repository: ledgerRepository, poolSize, metrics });
  const balances = createBalances(new BalanceRepository(pool));
  const limits = new LimitRepository(pool);
  const wallets = new WalletRepository(pool, prisma, limits);
  const approvals = new ApprovalRepository(config.APPROVAL_TTL_MS);
  const passCrashPoint = crashAt({ point: config.CRASH_POINT });
  const funding = new FundingRepository({
    pool,
    ledger: ledgerRepository,
    approvals,
    settings: config,
    passCrashPoint,
  });
  const profiles = new PartnerProfileRepository(prisma);
  const directory = new PartnerDirectory(identity);
  const statements = createStatements({
    ...{ config, pool, reportPool, replica, prisma, wallets, directory, log, metrics },
    replicaPrisma: replica && new PrismaClient({ adapter: createPrismaAdapter(replica.pool) }),
  });
  const reconciler = serveReconciler({ pool, checks: ledgerChecks, log, metrics }, config);
  const partnerConsumer = createPartnerConsumer(pool, profiles, (...moved) =>
    endFormerAncestorsLimits(limits, ...moved),
  );
  const deadLetters = serveDeadLetters({ consumers: [partnerConsumer], log, metrics }, config);

  const rpc = [
    defineRpc(
      WalletServiceService,
      createWalletHandlers({ funding, balances, wallets, transactions: new TransactionRepository(prisma) }),
    ),
    defineRpc(FundsServiceService, createFundsHandlers({ ledger, balances })),
    defineRpc(SpendingLimitServiceService, createLimitHandlers({ limits, directory })),
    defineRpc(
      SettlementServiceService,
      createSettlementHandlers({
        ledger,
        wallets,
        settlements: new SettlementRepository(pool, ledgerRepository),
      }),
    ),
    defineRpc(RateServiceService, createRateHandlers({ rates: new RateRepository(pool, prisma), profiles })),
    defineRpc(
      OrderFundsServiceService,
      createOrderFundsHandlers({ funds: new OrderFundsRepository(prisma) }),
    ),
    ...statements.rpc,
    approvalService({
      pool,
      approvals,
      approve: (approval, by) => approveMovement({ funding, wallets }, approval, by),
    }),
    reconciler.rpc,
    deadLetters.rpc,
  ];
  const kept = [
    outboxRetention(config),
    inboxRetention(config),
    differenceRetention(config),
    deadLetterRetention(config),
  ];
  const retention = createRetentionJob(kept, { pool, log, metrics });
  // A connection of its own: the pool's are counted out between movements and reads.
  const relay = createOutboxRelay({ ...address, writers: pool, bus, log, metrics });
  const partners = bus.subscribe({
    ...partnerConsumer,
    topics: [PARTNER_TOPIC],
    deadLetters: deadLetters.store,
  });
  const backlogs = [
    outboxBacklog(),
    transactionAges,
    ...financeBacklogs({ isScheduled: statements.isScheduled }),
  ];
  observeBacklogs({ pool, metrics, log }, backlogs);
  return {
    rpc: rpc.map(mapDatabaseOutage),
    jobs: [retention, ...statements.jobs, ...reconciler.jobs, ...(replica ? [replica.job] : [])],
    consumers: [partners, relay],
    ready: { database: databaseReady(pool) },
    close: async () => {
      identity.close();
      statements.close();
      await bus.close();
      await reconciler.close();
      await deadLetters.close();
      await prisma.$disconnect();
      await pool.end();
      await reportPool.end();
      await replica?.close();
    },
  };
}

function createBalances(repository: BalanceRepository): BalanceSource {
  const batcher = new Batcher<WalletRef, Balance | undefined>({
    run: (wallets) => repository.readMany(wallets),
    concurrency: READS_IN_FLIGHT,
    maxBatch: LARGEST_READ_BATCH,
    keyOf: ({ environment, partnerId }) => `${environment}:${partnerId}`,
  });
  return { read: (wallet, patience) => batcher.submit(wallet, patience) };
}
