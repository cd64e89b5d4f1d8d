import type { SealedSecret } from '@reseller/service-kit';
import { LRUCache } from 'lru-cache';

/** Opens the sealed secret of a subscription; throws when it cannot. */
export type OpenSecret = (subscriptionId: string, sealed: SealedSecret) => string;

/**
 * Opens secrets and remembers the last one of each subscription, by the very bytes it was sealed as: a rotated secret has
 * others, so it signs the very next attempt.
 */
export function rememberSecrets(open: OpenSecret): OpenSecret {
  const opened = new LRUCache<string, { sealed: SealedSecret; secret: string }>({ max: 4_096 });
  return (subscriptionId, sealed) => {
    const known = opened.get(subscriptionId);
    if (known && isSame(known.sealed, sealed)) return known.secret;
    const secret = open(subscriptionId, sealed);
    opened.set(subscriptionId, { sealed, secret });
    return secret;
  };
}

function isSame(one: SealedSecret, other: SealedSecret): boolean {
  return one.keyId === other.keyId && Buffer.compare(one.ciphertext, other.ciphertext) === 0;
}
