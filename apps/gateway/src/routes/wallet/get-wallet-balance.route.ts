import { presentBalance } from '@reseller/presenters';
import { z } from 'zod';
import { display, displayMoney, money } from '../../fields/response-fields';
import { defineRoute } from '../route';

const walletBalance = z
  .strictObject({
    currency: z.string(),
    currentBalance: money('What the ledger holds.'),
    availableBalance: money('currentBalance less every active reservation; what spending is held to.'),
    ...display,
    currentBalanceDisplay: displayMoney('currentBalance'),
    availableBalanceDisplay: displayMoney('availableBalance'),
  })
  .meta({ id: 'WalletBalance' });

/** GET /api/v1/wallet/balance */
export const getWalletBalance = defineRoute({
  method: 'GET',
  path: '/api/v1/wallet/balance',
  tag: 'Wallet',
  summary: 'Read the wallet’s balance',
  description: 'Your wallet in the token’s environment. Spending is held to availableBalance.',
  response: walletBalance,
  errors: ['NOT_FOUND_WALLET'],
  examples: {
    response: {
      currency: 'SAR',
      currentBalance: 10000,
      availableBalance: 9974.5,
      displayCurrency: 'USD',
      rate: 0.266667,
      currentBalanceDisplay: 2666.67,
      availableBalanceDisplay: 2659.87,
    },
  },
  async handle({ call, clients }) {
    return presentBalance(await clients.wallets.getBalance({}, call));
  },
});
