import type { Environment } from '@reseller/contracts';
import type { RouteInput } from '@reseller/http-edge';
import { presentPage, transactionTypeFilter } from '@reseller/presenters';
import { z } from 'zod';
import { recordRead } from '../record-change';
import { auditApproval } from '../approvals';
import type { Clients } from '../clients';
import { csvOf } from './csv-export';
import {
  environment,
  EXAMPLE_ID,
  nonZeroAmount,
  pageOf,
  pageQuery,
  positiveAmount,
  queryMoment,
  text,
  uuid,
} from './fields';
import { ledgerLine, ledgerPage, walletResponse } from './responses/wallets';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';
import { presentLedgerLine, presentWallet } from './wallet.presenter';

const params = z.object({ id: uuid });
const exampleParams = { id: EXAMPLE_ID };

const openWallet = defineRoute({
  method: 'POST',
  path: '/ops/v1/partners/{id}/wallet',
  role: 'finance',
  summary: 'Open a wallet; the same one when it is open already',
  params,
  body: z.strictObject({ environment }),
  response: walletResponse,
  examples: { params: exampleParams, body: { environment: 'sandbox' } },
  async audit({ params: { id: partnerId }, body, call, clients }) {
    // Finance opens a wallet for any id; that the partner exists is identity's to say.
    await clients.partners.getPartner({ partnerId }, call);
    return {
      action: 'wallet.open',
      partnerId,
      details: { environment: presentEnvironment(body.environment) },
    };
  },
  async handle({ params: { id: partnerId }, body, call, clients }) {
    const request = { partnerId, environment: body.environment };
    return presentWallet((await clients.wallets.openWallet(request, call)).wallet);
  },
});

const getWallet = defineRoute({
  method: 'GET',
  path: '/ops/v1/partners/{id}/wallet',
  role: 'viewer',
  summary: 'A partner’s wallet with its balance',
  params,
  query: z.object({ environment }),
  response: walletResponse,
  examples: { params: exampleParams, query: { environment: 'sandbox' } },
  async handle({ params: { id: partnerId }, query, call, clients }) {
    await clients.partners.getPartner({ partnerId }, call);
    const request = { partnerId, environment: query.environment };
    const wallet = presentWallet((await clients.wallets.getWallet(request, call)).wallet);
    await recordRead(clients, walletRead(wallet), call);
    return wallet;
  },
});

const ledgerQuery = z.object({
  ...pageQuery,
  environment,
  fromDate: queryMoment.optional(),
  toDate: queryMoment.optional(),
  transactionType: z.enum(['Debit', 'Credit']).optional(),
});

const listTransactions = defineRoute({
  method: 'GET',
  path: '/ops/v1/partners/{id}/wallet/transactions',
  role: 'viewer',
  summary: 'A page of a wallet’s ledger, newest first, with the operators whose decisions moved money',
  params,
  query: ledgerQuery,
  response: ledgerPage,
  examples: { params: exampleParams, query: { environment: 'sandbox' } },
  async handle(input) {
    await recordWalletRead(input);
    return readLedger(input);
  },
});

type LedgerInput = RouteInput<Clients, typeof params, typeof ledgerQuery, z.ZodObject>;

async function recordWalletRead({ params: { id: partnerId }, query, call, clients }: LedgerInput) {
  await clients.partners.getPartner({ partnerId }, call);
  const { wallet } = await clients.wallets.getWallet({ partnerId, environment: query.environment }, call);
  await recordRead(clients, walletRead(presentWallet(wallet)), call);
}

async function readLedger({ params: { id: partnerId }, query, call, clients }: LedgerInput) {
  const request = {
    partnerId,
    environment: query.environment,
    page: pageOf(query),
    fromAt: query.fromDate,
    toAt: query.toDate,
    transactionType: transactionTypeFilter(query.transactionType),
  };
  const { transactions, page } = await clients.wallets.listWalletTransactions(request, call);
  return presentPage(transactions, page, presentLedgerLine);
}

const walletRead = ({ id, partnerId, environment: name }: ReturnType<typeof presentWallet>) => ({
  action: 'wallet.read',
  partnerId,
  subject: id,
  details: { environment: name },
});

const movement = { environment, notes: text(0, 500).nullish(), idempotencyKey: text(1, 128) };

const moneyRoute = (
  kind: 'credit' | 'adjust',
  rpc: 'creditWallet' | 'adjustWallet',
  amount: typeof positiveAmount,
  summary: string,
): OpsRoute =>
  defineRoute({
    method: 'POST',
    path: `/ops/v1/partners/{id}/wallet/${kind}`,
    role: 'finance',
    summary,
    params,
    body: z.strictObject({ ...movement, amount }),
    response: ledgerLine,
    examples: {
      params: exampleParams,
      body: { environment: 'sandbox', amount: 1000, notes: 'opening deposit', idempotencyKey: 'deposit-1' },
    },
    async audit({ params: { id: partnerId }, body, call, clients }) {
      await clients.partners.getPartner({ partnerId }, call);
      return { action: `wallet.${kind}`, partnerId, details: movementDetails(body) };
    },
    async handle({ params: { id: partnerId }, body, call, clients }) {
      const { notes, ...rest } = body;
      const request = { partnerId, notes: notes ?? '', ...rest };
      const movement = { action: `wallet.${kind}`, partnerId };
      const { transaction } = await auditApproval(
        clients,
        call,
        () => Promise.resolve(movement),
        () => clients.wallets[rpc](request, call),
      );
      return presentLedgerLine(transaction);
    },
  });

interface Movement {
  environment: Environment;
  amount: string;
  notes?: string | null | undefined;
  idempotencyKey: string;
}

const movementDetails = ({ environment: name, amount, notes, idempotencyKey }: Movement) => ({
  environment: presentEnvironment(name),
  amount,
  notes: notes ?? '',
  idempotencyKey,
});

/** Reading and opening wallets, and moving money by hand. */
export const walletRoutes: readonly OpsRoute[] = [
  getWallet,
  listTransactions,
  csvOf(listTransactions, {
    row: ledgerLine,
    key: 'transactionId',
    readPage: (input) => readLedger(input as LedgerInput),
    before: (input) => recordWalletRead(input as LedgerInput),
  }),
  openWallet,
  moneyRoute('credit', 'creditWallet', positiveAmount, 'Add money; once for its idempotencyKey'),
  moneyRoute('adjust', 'adjustWallet', nonZeroAmount, 'Add or, by a negative amount, take money'),
];
