import { present, presentTransaction } from '@reseller/presenters';
import { z } from 'zod';
import { amount, text } from '../../fields/request-fields';
import { walletTransaction } from '../wallet/wallet-transaction.resource';
import { defineRoute } from '../route';

const MOST = 100_000;

const body = z.strictObject({
  amount: amount('How much, in SAR; 100,000 at most.')
    .refine((value) => Number(value) <= MOST, 'must be at most 100000')
    .meta({ maximum: MOST, example: 5000 }),
  externalReference: text('Your own key for this credit; it becomes the line’s notes.', { min: 1, max: 128 }),
});

/** POST /api/v1/sandbox/wallet/credit */
export const creditWallet = defineRoute({
  method: 'POST',
  path: '/api/v1/sandbox/wallet/credit',
  tag: 'Sandbox',
  sandboxOnly: true,
  summary: 'Give yourself play money',
  description:
    'Adds a Deposit to your sandbox wallet. externalReference makes it safe to repeat: the same amount returns the first ' +
    'line and adds nothing.',
  body,
  response: walletTransaction,
  errors: ['NOT_FOUND_WALLET', 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE'],
  examples: {
    body: { amount: 5000, externalReference: 'play-money-1' },
    response: {
      transactionId: 1043,
      timestamp: '2026-01-15T09:31:00.000Z',
      transactionType: 'Credit',
      referenceType: 'Deposit',
      referenceId: '019a2f60-4c2d-7e55-8b1a-3f4e5d6c7b95',
      amount: 5000,
      balanceAfter: 14974.5,
      notes: 'play-money-1',
      orderGoodsVatAmount: null,
      orderCommissionVatAmount: null,
      orderTotalAmountWithVat: null,
      orderTotalCommissionWithVat: null,
    },
  },
  async handle({ body: request, call, clients }) {
    const { transaction } = await clients.wallets.creditSandboxWallet(request, call);
    return presentTransaction(present(transaction, 'transaction'));
  },
});
