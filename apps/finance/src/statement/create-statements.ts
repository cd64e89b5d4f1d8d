import { StatementOperationsServiceService, StatementServiceService } from '@reseller/contracts';
import { readFromReplica, type Replica } from '@reseller/database';
import { defineRpc, type EnvironmentName, type RpcService } from '@reseller/rpc';
import { createJob, mayBePlaintext, type Job, type Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';
import type { Config } from '../config';
import type { PrismaClient } from '../generated/prisma/client';
import type { PartnerDirectory } from '../partner/partner-directory';
import type { WalletRepository } from '../wallet/wallet.repository';
import { createCopying } from './copy-statements';
import type { StatementDeps } from './create-statement';
import { EmailRepository } from './email/email.repository';
import { createMailServer, type MailServer } from './email/mail-server';
import { sendNextEmail } from './email/send-due-emails';
import { issueDueStatements } from './issue-due-statements';
import { LedgerReportRepository } from './ledger-report.repository';
import { ReportQueue } from './report-queue';
import { StatementCopyRepository } from './statement-copy.repository';
import { createStatementHandlers, createStatementOperationsHandlers } from './statement.handler';
import { StatementRepository } from './statement.repository';

const SEND_EVERY_MS = 30_000;
/** Copying is woken when there is something to copy; this finds what another instance left. */
const COPY_EVERY_MS = 10_000;
/** A month that closed has its statements within so long. */
const ISSUE_EVERY_MS = 600_000;

/** What statements are made of. */
interface StatementsDeps {
  config: Config;
  pool: Pool;
  /** What reads or copies many lines: reports, statements' lines. */
  reportPool: Pool;
  replica: Replica | undefined;
  /** Over the replica. */
  replicaPrisma: PrismaClient | undefined;
  prisma: PrismaClient;
  wallets: WalletRepository;
  directory: PartnerDirectory;
  log: Logger;
  metrics: Registry;
}

/** Statements as they are served, issued and sent. */
export interface Statements {
  rpc: RpcService[];
  jobs: Job[];
  /** Whether a job issues the statement of each month that closed. */
  isScheduled: boolean;
  close(): void;
}

/** Wires statements: with a mail server they are sent, on a schedule they are issued every month. */
export function createStatements({
  config,
  pool,
  reportPool,
  replica,
  replicaPrisma,
  prisma,
  wallets,
  directory,
  log,
  metrics,
}: StatementsDeps): Statements {
  const statements = new StatementRepository(prisma);
  const ledgerReports = new LedgerReportRepository(reportPool);
  const requireTLS = !mayBePlaintext(config, 'smtp');
  const mailServer = config.SMTP_URL
    ? createMailServer(config.SMTP_URL, config.SMTP_FROM, { requireTLS })
    : undefined;
  // Exported without a mail server as well: alerts read it wherever finance runs.
  const onTry = countEmails(metrics);
  const sending =
    mailServer &&
    createSendingJob({ config, pool, statements, ledgerReports, mailServer, onTry, log, metrics });
  const copying = createJob({
    name: 'copy-statements',
    afterStart: true,
    intervalMs: COPY_EVERY_MS,
    run: createCopying({
      copies: new StatementCopyRepository(reportPool),
      onCompleted: () => sending?.wake(),
    }),
    log,
    metrics,
  });
  const deps: StatementDeps = {
    statements,
    ledgerReports,
    wallets,
    directory,
    platformTaxRegistrationNumber: config.PLATFORM_TAX_REGISTRATION_NUMBER,
    hasMailServer: mailServer !== undefined,
    queue: new ReportQueue(config.REPORT_POOL_SIZE, countRefusals(metrics)),
    onPending: () => sending?.wake(),
    onCopying: () => copying.wake(),
  };
  const isScheduled =
    (config.STATEMENT_SCHEDULE ?? (config.NODE_ENV === 'production' ? 'on' : 'off')) === 'on';
  const issuing = isScheduled ? createIssuingJob(deps, log, metrics) : undefined;
  return {
    rpc: [
      readFromReplica(StatementServiceService, createStatementHandlers(deps), replica, (over) =>
        createStatementHandlers({
          ...deps,
          ...(replicaPrisma && { statements: new StatementRepository(replicaPrisma) }),
          ledgerReports: new LedgerReportRepository(over),
        }),
      ),
      defineRpc(StatementOperationsServiceService, createStatementOperationsHandlers(deps)),
    ],
    jobs: [copying, sending, issuing].filter((job) => job !== undefined),
    isScheduled,
    close: () => mailServer?.close(),
  };
}

function createSendingJob({
  config,
  pool,
  statements,
  ledgerReports,
  mailServer,
  onTry,
  log,
  metrics,
}: Pick<StatementsDeps, 'config' | 'pool' | 'log' | 'metrics'> & {
  statements: StatementRepository;
  ledgerReports: LedgerReportRepository;
  mailServer: MailServer;
  onTry: (environment: EnvironmentName, outcome: 'sent' | 'failed') => void;
}): Job {
  const retryMs = config.STATEMENT_EMAIL_RETRY_MS;
  const emails = new EmailRepository(pool);
  return createJob({
    name: 'send-statements',
    afterStart: true,
    intervalMs: Math.min(SEND_EVERY_MS, retryMs),
    run: () => sendNextEmail({ statements, ledgerReports, emails, server: mailServer, retryMs, log, onTry }),
    log,
    metrics,
  });
}

function createIssuingJob(deps: StatementDeps, log: Logger, metrics: Registry): Job {
  return createJob({
    name: 'issue-statements',
    afterStart: true,
    intervalMs: ISSUE_EVERY_MS,
    run: async (signal) => {
      await issueDueStatements(deps, { now: new Date(), log, signal });
    },
    log,
    metrics,
  });
}

function countEmails(registry: Registry): (environment: EnvironmentName, outcome: 'sent' | 'failed') => void {
  const tries = new Counter({
    name: 'finance_statement_email_tries_total',
    help: 'Tries at sending a statement by e-mail, by environment and outcome: sent or failed. Sum over instances.',
    labelNames: ['environment', 'outcome'],
    registers: [registry],
  });
  for (const environment of ['live', 'sandbox'])
    for (const outcome of ['sent', 'failed']) tries.inc({ environment, outcome }, 0);
  return (environment, outcome) => tries.inc({ environment, outcome });
}

function countRefusals(registry: Registry): () => void {
  const refusals = new Counter({
    name: 'finance_reports_refused_total',
    help: 'Reports and pieces of statements that were refused because their turn did not come in time. Sum over instances.',
    registers: [registry],
  });
  return () => refusals.inc();
}
