import { PartnerServiceService } from '@reseller/contracts';
import {
  answerUnavailable,
  createPool,
  createPrismaAdapter,
  isDatabaseUnavailable,
  observeBacklogs,
  query,
  serveReconciler,
} from '@reseller/database';
import {
  createEventBus,
  createOutboxRelay,
  eventBusOptions,
  outboxBacklog,
  pruneInbox,
} from '@reseller/messaging';
import { createRpcClient, type RpcService } from '@reseller/rpc';
import { createJob, type ServiceParts, type StartInput } from '@reseller/service-kit';
import { Counter, Histogram, type Registry } from 'prom-client';
import { financeBacklogs } from './backlog/backlogs';
import type { Config } from './config';
import { createFundsService } from './funds/funds.handler';
import { PrismaClient } from './generated/prisma/client';
import type { WalletRef } from './ledger/domain/wallet-operation';
import { LedgerRepository } from './ledger/ledger.repository';
import { WalletBatcher, type WalletBatcherOptions } from './ledger/wallet-batcher';
import { PartnerDirectory } from './partner/partner-directory';
import { PartnerProfileRepository } from './partner/partner-profile.repository';
import { createPartnerHandler, PARTNER_CONSUMER, PARTNER_TOPIC } from './partner/partner.consumer';
import { createRateService } from './rate/rate.handler';
import { RateRepository } from './rate/rate.repository';
import { ledgerChecks } from './reconciliation/ledger-checks';
import { createOrderFundsService } from './reconciliation/order-funds.handler';
import { OrderFundsRepository } from './reconciliation/order-funds.repository';
import { createSettlementService } from './settlement/settlement.handler';
import { SettlementRepository } from './settlement/settlement.repository';
import type { StatementParts } from './statement/create-statement';
import { EmailRepository } from './statement/email/email.repository';
import { createMailServer } from './statement/email/mail-server';
import { sendNextEmail } from './statement/email/send-due-emails';
import { issueDueStatements } from './statement/issue-due-statements';
import { createStatementOperationsService, createStatementService } from './statement/statement.handler';
import { StatementRepository } from './statement/statement.repository';
import { BalanceRepository, type Balance } from './wallet/balance.repository';
import { ReadCoalescer } from './wallet/read-coalescer';
import { TransactionRepository } from './wallet/transaction.repository';
import { createWalletService } from './wallet/wallet.handler';
import { WalletRepository } from './wallet/wallet.repository';

/** Longer batches gain nothing more and keep the last of them waiting (docs/adr/0007). */
const LARGEST_WRITE_BATCH = 128;
const LARGEST_READ_BATCH = 256;
const READS_IN_FLIGHT = 1;
/** Connections that batches of writes leave to reads, lists and the consumer. */
const OTHER_CONNECTIONS = 2;
/** A caller of a read waits no longer than 2 s (spec §1.10), so no connection is worth waiting for longer. */
const ACQUIRE_TIMEOUT_MS = 1_500;

const IDENTITY_DEADLINE_MS = 5_000;
const SEND_EVERY_MS = 30_000;
/** A month that closed has its statements within so long. */
const ISSUE_EVERY_MS = 600_000;

const PRUNE_EVERY_MS = 3_600_000;
/** Twice as long as the bus keeps events. */
const INBOX_KEPT_HOURS = 14 * 24;

/** Everything the running service consists of. */
export async function startFinance({
  config,
  log,
  metrics,
  security,
}: StartInput<Config>): Promise<ServiceParts> {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({
    connectionString,
    max,
    name: 'finance',
    log,
    metrics,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const ledger = new LedgerRepository(pool, config.RESERVATION_TTL_MS);
  const batcher = new WalletBatcher({
    apply: (wallet, operations) => ledger.apply(wallet, operations),
    concurrency: max - OTHER_CONNECTIONS,
    maxBatch: LARGEST_WRITE_BATCH,
    shouldTrySingly: (error) => !isDatabaseUnavailable(error),
    onBatch: observeBatches(metrics),
  });
  const balanceRepository = new BalanceRepository(pool);
  const balances = new ReadCoalescer<WalletRef, Balance>({
    load: (wallets) => balanceRepository.readMany(wallets),
    nameOf: ({ environment, partnerId }) => `${environment}:${partnerId}`,
    concurrency: READS_IN_FLIGHT,
    maxBatch: LARGEST_READ_BATCH,
  });
  const profiles = new PartnerProfileRepository(pool);
  const wallets = new WalletRepository(prisma);
  const transactions = new TransactionRepository(prisma);
  const identity = createRpcClient(PartnerServiceService, config.IDENTITY_ADDRESS, {
    name: 'identity',
    defaultDeadlineMs: IDENTITY_DEADLINE_MS,
    log,
    metrics,
    security,
  });
  const statements = new StatementRepository(pool);
  const mailServer = config.SMTP_URL ? createMailServer(config.SMTP_URL, config.SMTP_FROM) : undefined;
  const onTry = countEmails(metrics);
  const sending =
    mailServer &&
    createJob({
      name: 'send-statements',
      intervalMs: Math.min(SEND_EVERY_MS, config.STATEMENT_EMAIL_RETRY_MS),
      run: () =>
        sendNextEmail({
          statements,
          emails: new EmailRepository(pool),
          server: mailServer,
          retryMs: config.STATEMENT_EMAIL_RETRY_MS,
          log,
          onTry,
        }),
      log,
      metrics,
    });
  const statementParts: StatementParts = {
    statements,
    wallets,
    directory: new PartnerDirectory(identity),
    platformTaxRegistrationNumber: config.PLATFORM_TAX_REGISTRATION_NUMBER,
    hasMailServer: mailServer !== undefined,
    onPending: () => sending?.wake(),
  };
  const schedule = config.STATEMENT_SCHEDULE ?? (config.NODE_ENV === 'production' ? 'on' : 'off');
  const issuing =
    schedule === 'on'
      ? createJob({
          name: 'issue-statements',
          intervalMs: ISSUE_EVERY_MS,
          run: async (signal) => {
            await issueDueStatements(statementParts, { now: new Date(), log, signal });
          },
          log,
          metrics,
        })
      : undefined;
  const reconciler = serveReconciler({ pool, checks: ledgerChecks, log, metrics }, config);
  const rpc: RpcService[] = [
    createWalletService({ batcher, balances, wallets, transactions }),
    createFundsService({ batcher, balances }),
    createSettlementService(new SettlementRepository(pool)),
    createStatementService(statementParts),
    createStatementOperationsService(statementParts),
    createRateService({ rates: new RateRepository(pool), profiles }),
    createOrderFundsService(new OrderFundsRepository(pool)),
    reconciler.rpc,
  ].map(answerUnavailable);
  const bus = createEventBus({ ...eventBusOptions(config), clientId: 'finance', log, metrics });
  observeBacklogs({ pool, metrics, log }, [
    outboxBacklog,
    ...financeBacklogs({ isScheduled: schedule === 'on' }),
  ]);
  // A connection of its own: the pool's are counted out between movements and reads.
  const relay = createOutboxRelay({ connectionString, bus, log, metrics });
  const partners = bus.subscribe({
    group: PARTNER_CONSUMER,
    topics: [PARTNER_TOPIC],
    handler: createPartnerHandler(pool, profiles),
  });
  const pruning = createJob({
    name: 'prune-inbox',
    intervalMs: PRUNE_EVERY_MS,
    run: () => pruneInbox(pool, INBOX_KEPT_HOURS).then(() => false),
    log,
    metrics,
  });
  return {
    rpc,
    jobs: [pruning, sending, issuing, ...reconciler.jobs].filter((job) => job !== undefined),
    consumers: [partners, relay],
    ready: { database: async () => void (await query(pool, { name: 'ready', text: 'SELECT 1' })) },
    close: async () => {
      identity.close();
      mailServer?.close();
      await bus.close();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function observeBatches(registry: Registry): NonNullable<WalletBatcherOptions['onBatch']> {
  const sizes = new Histogram({
    name: 'finance_wallet_batch_size',
    help: 'Operations applied to one wallet in one statement. Sum over instances.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'finance_wallet_batch_failures_total',
    help: 'Statements on a wallet that failed; those of more than one operation are tried again one by one. Sum over instances.',
    registers: [registry],
  });
  return (size, failed) => {
    sizes.observe(size);
    if (failed) failures.inc();
  };
}

function countEmails(registry: Registry): (outcome: 'sent' | 'failed') => void {
  const tries = new Counter({
    name: 'finance_statement_email_tries_total',
    help: 'Tries at sending a statement by e-mail, by outcome: sent or failed. Sum over instances.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['sent', 'failed']) tries.inc({ outcome }, 0);
  return (outcome) => tries.inc({ outcome });
}
