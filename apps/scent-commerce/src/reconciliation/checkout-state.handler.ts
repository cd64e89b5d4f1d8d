import type { CheckoutStateServiceService } from '@reseller/contracts';
import { validationFailed } from '@reseller/errors';
import type { RpcHandlers } from '@reseller/rpc';
import type { CheckoutStateRepository } from './checkout-state.repository';

const MOST = 500;

/** Serves reseller.scent.v1.CheckoutStateService. */
export function createCheckoutStateHandlers(
  checkouts: CheckoutStateRepository,
): RpcHandlers<typeof CheckoutStateServiceService> {
  return {
    async listCheckoutStates({ keys }) {
      if (keys.length > MOST) throw validationFailed([{ path: 'keys', message: `must be at most ${MOST}` }]);
      return { checkouts: await checkouts.list(keys) };
    },
    async listCheckoutKeys({ afterKey, limit }) {
      if (limit < 1 || limit > MOST) {
        throw validationFailed([{ path: 'limit', message: `must be from 1 to ${MOST}` }]);
      }
      return { keys: await checkouts.keys(afterKey, limit) };
    },
  };
}
