import { present, presentLimitsInForce } from '@reseller/presenters';
import { defineRoute } from '../route';
import { walletLimits } from './limits.resource';

/** GET /api/v1/wallet/limits */
export const getWalletLimits = defineRoute({
  method: 'GET',
  path: '/api/v1/wallet/limits',
  tag: 'Wallet',
  summary: 'Read what you may spend',
  description:
    'The limits on your orders in the token’s environment, as we or the partners above you have set them: of several the ' +
    'lowest. With them what your orders of today (UTC) have come to so far.',
  response: walletLimits,
  errors: ['NOT_FOUND_WALLET'],
  examples: {
    response: {
      maxOrderAmount: { limit: 200, setBy: 'Operator' },
      dailySpend: { limit: 5000, setBy: 'Ancestor' },
      dailyOrdersPerPhone: null,
      spentToday: 1225.5,
      resetsAt: '2026-01-16T00:00:00.000Z',
    },
  },
  async handle({ call, clients }) {
    const { limits } = await clients.spendingLimits.getOwnLimits({}, call);
    return presentLimitsInForce(present(limits, 'limits'));
  },
});
