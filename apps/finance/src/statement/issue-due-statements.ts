import { isAppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { createStatement, type StatementDeps } from './create-statement';
import { nextClosedMonth } from './domain/billing-month';
import type { DueWallet } from './ledger-report.repository';

const BEFORE_ALL_WALLETS = '00000000-0000-0000-0000-000000000000';
const WALLETS_AT_ONCE = 50;

/** What the job is given besides. */
interface IssueOptions {
  now: Date;
  log: Pick<Logger, 'error' | 'info'>;
  signal?: AbortSignal;
}

/**
 * Makes the statement of every month that has closed, for every wallet, from where its last one ended or from its opening
 * (spec §9.2). Any number of instances may run it at once: whoever comes second finds the statement there. Returns how
 * many it made; a wallet that fails is logged and does not keep the others waiting.
 */
export async function issueDueStatements(
  deps: StatementDeps,
  { now, log, signal }: IssueOptions,
): Promise<number> {
  let made = 0;
  let after = BEFORE_ALL_WALLETS;
  for (;;) {
    const wallets = await deps.ledgerReports.dueWallets(after, now, WALLETS_AT_ONCE);
    for (const wallet of wallets) {
      if (signal?.aborted) return made;
      made += await issueFor(deps, wallet, { now, log });
      after = wallet.walletId;
    }
    if (wallets.length < WALLETS_AT_ONCE) break;
  }
  if (made > 0) log.info({ made }, 'statements made');
  return made;
}

async function issueFor(deps: StatementDeps, wallet: DueWallet, { now, log }: IssueOptions): Promise<number> {
  const call: CallContext = { requestId: uuidv7() };
  let made = 0;
  try {
    let month = nextClosedMonth(wallet.start, now);
    while (month) {
      await createStatement(deps, wallet, month, call);
      made += 1;
      month = nextClosedMonth(month.to, now);
    }
  } catch (err) {
    // Another instance, or an operator, was first; what is left is found at the next run.
    if (isAppError(err) && err.code === 'CONFLICT_STATEMENT_PERIOD') return made;
    // Nothing would succeed for the other wallets either.
    if (isAppError(err) && err.code === 'SERVICE_UNAVAILABLE') throw err;
    const { partnerId, environment } = wallet;
    log.error({ err, partnerId, environment, requestId: call.requestId }, 'a monthly statement failed');
  }
  return made;
}
