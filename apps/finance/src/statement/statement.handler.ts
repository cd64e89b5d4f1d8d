import type { StatementOperationsServiceService, StatementServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import {
  RequestCheck,
  partnerScopeOf,
  requireOperator,
  sandboxScopeOf,
  type CallContext,
  type RpcHandlers,
} from '@reseller/rpc';
import { toTransactionMessage } from '../wallet/wallet.mapper';
import { createStatement, type StatementDeps } from './create-statement';
import { toWalletLine, type Period, type Statement, type StoredLine } from './domain/statement';
import { reportStatement } from './report-statement';
import { toDocumentMessage, toStatementMessage } from './statement.mapper';

/** Serves reseller.finance.v1.StatementService. */
export function createStatementHandlers(deps: StatementDeps): RpcHandlers<typeof StatementServiceService> {
  const { statements, ledgerReports, wallets, queue } = deps;
  const inTurn = <T>(call: CallContext, work: () => Promise<T>): Promise<T> =>
    queue.run({ partnerId: partnerScopeOf(call).partnerId, signal: call.signal }, work);
  const ownStatement = async (id: string, call: CallContext): Promise<Statement> => {
    const check = new RequestCheck();
    const { partnerId, environment } = partnerScopeOf(call);
    const statementId = check.uuid('statementId', id);
    check.end();
    const statement = await statements.find(statementId);
    // Another partner's is as good as none.
    if (statement?.partnerId !== partnerId || statement.environment !== environment) {
      throw new AppError('NOT_FOUND_STATEMENT');
    }
    return statement;
  };
  return {
    async listStatements({ page }, call) {
      const list = await statements.list(partnerScopeOf(call), pageBounds(page));
      return {
        statements: list.statements.map(toStatementMessage),
        page: toPageInfo(page, list.totalCount),
      };
    },

    async getStatement({ statementId }, call) {
      return { statement: toStatementMessage(await ownStatement(statementId, call)) };
    },

    async createSandboxStatement({ periodFromAt, periodToAt }, call) {
      const wallet = sandboxScopeOf(call);
      const check = new RequestCheck();
      const period = periodOf(check, periodFromAt, periodToAt);
      check.end();
      return { statement: toStatementMessage(await createStatement(deps, wallet, period, call)) };
    },

    async listStatementLines({ statementId, piece }, call) {
      const statement = await ownStatement(statementId, call);
      return { lines: toMessages(await inTurn(call, () => ledgerReports.statementLines(statement, piece))) };
    },

    async getStatementReport({ periodFromAt, periodToAt }, call) {
      const check = new RequestCheck();
      const wallet = partnerScopeOf(call);
      const period = periodOf(check, periodFromAt, periodToAt);
      check.end();
      return { document: toDocumentMessage(await reportStatement(deps, wallet, period, call)) };
    },

    async listReportLines({ afterPosition, upToPosition, piece }, call) {
      const wallet = await wallets.find(partnerScopeOf(call));
      if (!wallet) throw new AppError('NOT_FOUND_WALLET');
      const range = { afterSeq: BigInt(afterPosition), upToSeq: BigInt(upToPosition) };
      return { lines: toMessages(await inTurn(call, () => ledgerReports.lines(wallet.id, range, piece))) };
    },
  };
}

/** Serves reseller.finance.v1.StatementOperationsService. */
export function createStatementOperationsHandlers(
  deps: StatementDeps,
): RpcHandlers<typeof StatementOperationsServiceService> {
  return {
    async createStatement(request, call) {
      requireOperator(call);
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const period = periodOf(check, request.periodFromAt, request.periodToAt);
      check.end();
      return { statement: toStatementMessage(await createStatement(deps, wallet, period, call)) };
    },
  };
}

function periodOf(check: RequestCheck, from: Date | undefined, to: Date | undefined): Period {
  if (!from) check.fault('periodFrom', 'is required');
  if (!to) check.fault('periodTo', 'is required');
  if (from && to && from >= to) check.fault('periodTo', 'must be after periodFrom');
  return { from: from ?? new Date(0), to: to ?? new Date(0) };
}

const toMessages = (lines: StoredLine[]) => lines.map(toWalletLine).map(toTransactionMessage);
