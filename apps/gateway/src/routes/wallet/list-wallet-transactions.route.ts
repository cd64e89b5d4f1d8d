import { z } from 'zod';
import { presentPage, presentTransaction, transactionTypeFilter } from '@reseller/presenters';
import { pageOf } from '../../fields/response-fields';
import { pageQuery, queryDateTime } from '../../fields/request-fields';
import {
  exampleWalletTransaction,
  TRANSACTION_TYPES,
  walletTransaction,
} from './wallet-transaction.resource';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/wallet/transactions */
export const listWalletTransactions = defineRoute({
  method: 'GET',
  path: '/api/v1/wallet/transactions',
  tag: 'Wallet',
  summary: 'List the wallet’s transactions',
  description: 'The ledger of your wallet in the token’s environment, newest first.',
  query: z.object({
    ...pageQuery,
    fromDate: queryDateTime('Posted at or after this moment.').optional(),
    toDate: queryDateTime('Posted before this moment.').optional(),
    transactionType: z.enum(TRANSACTION_TYPES).optional().meta({ description: 'Only lines of this type.' }),
  }),
  response: pageOf(walletTransaction),
  errors: ['NOT_FOUND_WALLET'],
  examples: {
    query: { transactionType: 'Debit' },
    response: {
      items: [exampleWalletTransaction],
      pagination: examplePagination,
    },
  },
  async handle({ query: { page, pageSize, fromDate, toDate, transactionType }, call, clients }) {
    const list = await clients.wallets.listTransactions(
      {
        page: { page, pageSize },
        fromAt: fromDate,
        toAt: toDate,
        transactionType: transactionTypeFilter(transactionType),
      },
      call,
    );
    return presentPage(list.transactions, list.page, presentTransaction);
  },
});
