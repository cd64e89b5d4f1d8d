import type { CheckoutState, CheckoutStateServiceService, KeyedCheckoutState } from '@reseller/contracts';
import type { RpcClient } from '@reseller/rpc';

/** What the scent shop has on record of orders. */
export interface CheckoutStates {
  /** By the order's global id. */
  checkouts(keys: readonly string[]): Promise<Map<string, CheckoutState>>;
  /** One with its owner, by the order's global id. Throws SERVICE_UNAVAILABLE. */
  find(key: string): Promise<KeyedCheckoutState | undefined>;
  /** Global ids whose checkout is begun or committed. */
  checkoutKeys(after: string, limit: number): Promise<string[]>;
}

const call = { requestId: 'reconciliation' };

/** The scent shop by gRPC. */
export function createCheckoutStates(client: RpcClient<typeof CheckoutStateServiceService>): CheckoutStates {
  return {
    async checkouts(keys) {
      const { checkouts } = await client.listCheckoutStates({ keys: [...keys] }, call);
      return new Map(checkouts.map(({ key, state }) => [key, state]));
    },
    find: async (key) => (await client.listCheckoutStates({ keys: [key] }, call)).checkouts[0],
    checkoutKeys: async (afterKey, limit) => (await client.listCheckoutKeys({ afterKey, limit }, call)).keys,
  };
}
