import type { Environment, Wallet } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { present, presentRequiredMoment, presentTransaction } from '@reseller/presenters';
import { z } from 'zod';
import { environment, EXAMPLE_ID, nonZeroAmount, positiveAmount, text, uuid } from './fields';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const params = z.object({ id: uuid });
const exampleParams = { id: EXAMPLE_ID };

const openWallet = defineRoute({
  method: 'POST',
  path: '/ops/v1/partners/{id}/wallet',
  role: 'finance',
  summary: 'Open a wallet; the same one when it is open already',
  params,
  body: z.strictObject({ environment }),
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

function presentWallet(message: Wallet | undefined) {
  const wallet = present(message, 'wallet');
  return {
    id: wallet.id,
    partnerId: wallet.partnerId,
    environment: presentEnvironment(wallet.environment),
    currency: wallet.currency,
    currentBalance: toJsonNumber(wallet.currentBalance),
    availableBalance: toJsonNumber(wallet.availableBalance),
    openedAt: presentRequiredMoment(wallet.openedAt, 'opened_at'),
  };
}

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
      return presentTransaction(
        present((await clients.wallets[rpc](request, call)).transaction, 'transaction'),
      );
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

/** Opening wallets and moving money by hand. */
export const walletRoutes: readonly OpsRoute[] = [
  openWallet,
  moneyRoute('credit', 'creditWallet', positiveAmount, 'Add money; once for its idempotencyKey'),
  moneyRoute('adjust', 'adjustWallet', nonZeroAmount, 'Add or, by a negative amount, take money'),
];
