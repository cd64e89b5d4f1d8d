import { expect, rpc } from '../prelude';
import type { RpcContract, World } from '../prelude';

/** A list of keys that is read in pieces, each after the last key of the one before. */
export const walksKeys = (
  sentence: string,
  arrange: (world: World) => Promise<{ live: string[]; ended: string }>,
): RpcContract =>
  rpc((world) => [world, { limit: 2 }], {
    [sentence]: async (use) => {
      const { live, ended } = await arrange(use);
      const keys: string[] = [];
      for (;;) {
        const found = await use.list<string>(use.rpc, { after_key: keys.at(-1) ?? '', limit: 2 });
        expect(found.length).toBeLessThanOrEqual(2);
        if (found.length === 0) break;
        keys.push(...found);
      }
      expect(keys).toEqual([...new Set(keys)].sort());
      expect(keys).toEqual(expect.arrayContaining(live));
      expect(keys).not.toContain(ended);
    },
  });
