import { present, presentTransaction } from '@reseller/presenters';
import { z } from 'zod';
import { presentEnvironment } from '../presenters/partner.presenter';
import { presentWallet } from '../presenters/wallet.presenter';
import { recordChange } from '../record-change';
import { environment, nonZeroAmount, positiveAmount, text, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const idParams = z.object({ id: uuid });

const movement = { environment, notes: text(0, 500).nullish(), idempotencyKey: text(1, 128) };

/** Opening wallets and moving money by hand. */
export function walletRoutes({ clients }: RouteDeps): OpsRoute[] {
  return [
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/partners/{id}/wallet',
      params: idParams,
      body: z.strictObject({ environment }),
      async handle(input) {
        const call = callOf(input);
        const wallet = { partnerId: input.params.id, environment: input.body.environment };
        // Finance opens a wallet for any id; that the partner exists is identity's to say.
        await clients.partners.getPartner({ partnerId: wallet.partnerId }, call);
        const details = { environment: presentEnvironment(wallet.environment) };
        await recordChange(clients, { action: 'wallet.open', partnerId: wallet.partnerId, details }, call);
        return presentWallet((await clients.wallets.openWallet(wallet, call)).wallet);
      },
    }),
    moveRoute({ clients }, 'credit', positiveAmount),
    moveRoute({ clients }, 'adjust', nonZeroAmount),
  ];
}

function moveRoute(
  { clients }: Pick<RouteDeps, 'clients'>,
  kind: 'credit' | 'adjust',
  amount: typeof positiveAmount,
): OpsRoute {
  return defineOpsRoute({
    method: 'POST',
    path: `/ops/v1/partners/{id}/wallet/${kind}`,
    params: idParams,
    body: z.strictObject({ ...movement, amount }),
    async handle(input) {
      const call = callOf(input);
      const { id: partnerId } = input.params;
      const { notes, ...rest } = input.body;
      const request = { partnerId, notes: notes ?? '', ...rest };
      await clients.partners.getPartner({ partnerId }, call);
      const details = {
        environment: presentEnvironment(rest.environment),
        amount: rest.amount,
        notes: request.notes,
        idempotencyKey: rest.idempotencyKey,
      };
      await recordChange(clients, { action: `wallet.${kind}`, partnerId, details }, call);
      const moved =
        kind === 'credit'
          ? await clients.wallets.creditWallet(request, call)
          : await clients.wallets.adjustWallet(request, call);
      return presentTransaction(present(moved.transaction, 'transaction'));
    },
  });
}
