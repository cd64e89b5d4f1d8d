import type { CommandCall } from '@reseller/service-kit';
import type { ArchivedObject } from './archive.repository';
import type { ObjectStore } from './object-store';

/** Reads every byte of objects and says which are not what was archived; returns 0, or 1 when there are any. */
export async function verifyObjects(
  found: readonly ArchivedObject[],
  store: ObjectStore,
  { name, say, complain }: Pick<CommandCall, 'say' | 'complain'> & { readonly name: string },
): Promise<number> {
  let wrong = 0;
  for (const { object, sha256 } of found) {
    const fault = await store.digestOf(object).then(
      (digest) => (digest.sha256 === sha256 ? undefined : `SHA-256 ${digest.sha256}, expected ${sha256}`),
      (error: Error) => error.message,
    );
    if (fault === undefined) continue;
    wrong += 1;
    complain(`${name}: ${store.urlOf(object)} is not what was archived: ${fault}`);
  }
  say(`${found.length - wrong} of ${found.length} objects are what was archived`);
  return wrong === 0 ? 0 : 1;
}
