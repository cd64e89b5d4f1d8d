import {
  ApprovalServiceService,
  Environment,
  FundsServiceService,
  OrderFundsServiceService,
  RateServiceService,
  ReconciliationServiceService,
  SettlementServiceService,
  SpendingLimitServiceService,
  StatementOperationsServiceService,
  StatementServiceService,
  WalletServiceService,
  type ReserveFundsRequest,
} from '@reseller/contracts';
import { closeRpcClients, createRpcClients, type CallContext, type RpcClientTable } from '@reseller/rpc';
import { runService } from '@reseller/service-kit';
import { startTestService, type TestService } from '@reseller/testing';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { config } from '../src/config';
import { createContainer } from '../src/container';

/** The migrations that a test database starts from. */
export const MIGRATIONS = path.join(__dirname, '../prisma/migrations');

/** Where no identity listens, for tests that need none. */
export const NOWHERE = '127.0.0.1:1';

const SERVICES = {
  approvals: [ApprovalServiceService, 'finance'],
  limits: [SpendingLimitServiceService, 'finance'],
  funds: [FundsServiceService, 'finance'],
  wallets: [WalletServiceService, 'finance'],
  rates: [RateServiceService, 'finance'],
  settlements: [SettlementServiceService, 'finance'],
  statements: [StatementServiceService, 'finance'],
  statementOperations: [StatementOperationsServiceService, 'finance'],
  orderFunds: [OrderFundsServiceService, 'finance'],
  reconciliation: [ReconciliationServiceService, 'finance'],
} as const satisfies RpcClientTable<'finance'>;

/** Typed clients of a running finance. */
export function connectFinance(address: string) {
  const clients = createRpcClients(SERVICES, { finance: address }, { defaultDeadlineMs: 60_000 });
  return { ...clients, close: () => closeRpcClients(clients) };
}

/** Clients of a running finance. */
export type FinanceClients = ReturnType<typeof connectFinance>;

/** The real service in this process, on its own database. */
export interface FinanceService extends FinanceClients, TestService {}

/** Boots finance as main.ts does, but for the process. */
export async function startFinanceService(settings: Record<string, string> = {}): Promise<FinanceService> {
  const service = await startTestService({
    migrations: MIGRATIONS,
    settings: { IDENTITY_ADDRESS: NOWHERE, ...settings },
    // Without the migrations, which a test database has already, so that it starts while its database is away, too.
    start: (env) => runService({ name: 'finance', config, start: createContainer }, env),
  });
  const clients = connectFinance(service.address);
  const stop = async (): Promise<void> => {
    clients.close();
    await service.stop();
  };
  return { ...clients, ...service, stop };
}

/** A partner with a wallet of so much, as its calls name it. */
export interface TestPartner {
  partnerId: string;
  environment: Environment;
  call: CallContext;
  /** What each request on the wallet begins with. */
  ref: { partnerId: string; environment: Environment };
}

/** A partner that finance has not heard of. */
export function newPartner(environment = Environment.LIVE): TestPartner {
  const partnerId = uuidv7();
  const scope = {
    partnerId,
    partnerGlobalId: 'PRT-000001',
    path: [partnerId],
    environment,
    clientId: 'client',
  };
  return {
    partnerId,
    environment,
    // Of an operator too, for what only operators do.
    call: { requestId: uuidv7(), partner: scope, operator: 'olga' },
    ref: { partnerId, environment },
  };
}

/** A partner with an open wallet and a first deposit. */
export async function partnerWith(
  { wallets }: FinanceClients,
  amount: string,
  environment = Environment.LIVE,
): Promise<TestPartner> {
  const partner = newPartner(environment);
  await wallets.openWallet(partner.ref, partner.call);
  await wallets.creditWallet({ ...partner.ref, amount, notes: '', idempotencyKey: 'opening' }, partner.call);
  return partner;
}

/** A reserve of a new order. */
export function reserveRequest(
  partner: TestPartner,
  amount: string,
  more: Partial<ReserveFundsRequest> = {},
): ReserveFundsRequest {
  const key = more.reservationKey ?? uuidv7();
  const order = { reservationKey: key, orderGlobalId: key, amount, pinned: true, submittedAt: undefined };
  return { ...partner.ref, ...order, ...more };
}

/** Posted and available as GetBalance returns them. */
export async function balanceOf(
  { wallets }: FinanceClients,
  partner: TestPartner,
): Promise<[string, string]> {
  const { currentBalance, availableBalance } = await wallets.getBalance({}, partner.call);
  return [currentBalance, availableBalance];
}
