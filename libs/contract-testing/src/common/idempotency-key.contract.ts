import { expect, partnerService, rpc } from '../prelude';
import type { Message, Party, ServiceContract, World } from '../prelude';
import { callWithKey } from '../variations';

/** A create that takes an idempotency key, and all that it needs. */
export type KeyedCreate = readonly [rpc: string, partner: Party, request: Message];

/** The keys that an app keeps, as each that makes creates without an externalReference serves them. */
export const idempotencyKeys = (create: (world: World) => Promise<KeyedCreate>): ServiceContract =>
  partnerService('IdempotencyKeyService', {
    GetIdempotencyKey: rpc(undefined, {
      'returns which request used a key, to its partner in its environment only': async (use) => {
        const [made, partner, request] = await create(use);
        const used = { key: 'a key', fingerprint: 'the first' };
        expect(await partner.call(use.rpc, { key: used.key })).toEqual({});
        await callWithKey(use, made, { partner, request }, used);
        for (const other of [use.partner(), partner.elsewhere()])
          expect(await other.call(use.rpc, { key: used.key })).toEqual({});
        expect(await partner.call(use.rpc, { key: used.key })).toEqual({ fingerprint: used.fingerprint });
      },
      'knows no key of a create that was refused': async (use) => {
        const [made, partner] = await create(use);
        const refused = callWithKey(use, made, { partner, request: {} }, { key: 'k', fingerprint: 'f' });
        await expect(refused).rejects.toThrow();
        expect(await partner.call(use.rpc, { key: 'k' })).toEqual({});
      },
    }),
  });
