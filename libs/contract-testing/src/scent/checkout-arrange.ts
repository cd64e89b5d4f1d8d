import { v7 as uuidv7 } from 'uuid';
import type { Case, Message } from '../contract';
import { rpc, type Sentences } from '../notation';
import type { Party } from '../party';
import type { World } from '../world';
import { aCode, begun, stocked, withCart } from './arrange';

/** What is on hand of a variant, and what of it orders have reserved. */
export async function stockOf(world: World, variant: Message): Promise<unknown[]> {
  const { stock_on_hand, stock_reserved } = await stocked(world, variant);
  return [stock_on_hand, stock_reserved];
}

/** A price lock of the partner's cart. */
export const lockOf = async (partner: Party, more: Message = {}): Promise<Message> => ({
  lock_id: (await partner.call('PreviewCheckout', { lock: true, ...more })).lock_id,
});

/** How often a discount code was used. */
export const usageOf = async (partner: Party, { id }: Message): Promise<unknown> =>
  (await partner.get('GetDiscountCode', { id })).usage_count;

/** A committed checkout of three units, with a discount code if wanted. */
export async function committed(world: World, discount?: Message) {
  const { partner, variant } = await withCart(world, 3);
  const code = discount && (await aCode(partner, discount));
  const { named, checkout } = await begun(partner, code ? { discount_code: code.code } : {});
  await partner.call('CommitCheckout', named);
  return { partner, variant, named, checkout, code: code ?? {} };
}

/** A checkout of three units after these RPCs, with all that any RPC of a checkout takes. */
const checkoutAfter =
  (...rpcs: string[]) =>
  async (world: World) => {
    const { partner, variant } = await withCart(world, 3);
    const lines = [{ variant_id: variant.id, quantity: 1 }];
    const request = { order_key: `ORD-${uuidv7()}`, restock_key: 'group-1', lines };
    for (const name of rpcs) await partner.call(name, request);
    return [partner, request] as const;
  };

/** A key that somebody else's committed checkout has. */
const takenFrom =
  (whose: (owner: Party, world: World) => Party): Case =>
  async (use) => {
    const { rpc: name, request } = await use.given();
    const { partner, named } = await committed(use);
    return whose(partner, use).call(name, { ...request, ...named });
  };

/** What every RPC of a checkout refuses alike. */
export const anyCheckout: Sentences = {
  'VALIDATION_FAILED: no order_key': { order_key: '' },
  'VALIDATION_FAILED: no environment': { environment: 'ENVIRONMENT_UNSPECIFIED' },
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: an order_key that another partner has': takenFrom((_, world) =>
    world.partner(),
  ),
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: an order_key that the other environment has': takenFrom((owner) =>
    owner.elsewhere(),
  ),
};

/** An RPC of a checkout that these others came before. */
export const checkoutRpc = (before: readonly string[], sentences: Sentences) =>
  rpc(checkoutAfter(...before), { ...anyCheckout, ...sentences });
