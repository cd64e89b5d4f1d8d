import type { SealedSecret } from '../subscription/secret-seal';

/** Opens the sealed secret of a subscription; throws when it cannot. */
export type OpenSecret = (subscriptionId: string, sealed: SealedSecret) => string;

const MOST = 4_096;

/**
 * Opens secrets and remembers the last one of each subscription, by the very bytes it was sealed as: a rotated secret has
 * others, so it signs the very next attempt.
 */
export function rememberOpened(open: OpenSecret): OpenSecret {
  const known = new Map<string, { sealed: SealedSecret; secret: string }>();
  return (subscriptionId, sealed) => {
    const found = known.get(subscriptionId);
    if (found && isSame(found.sealed, sealed)) return found.secret;
    known.delete(subscriptionId);
    const secret = open(subscriptionId, sealed);
    if (known.size >= MOST) known.clear();
    known.set(subscriptionId, { sealed, secret });
    return secret;
  };
}

function isSame(one: SealedSecret, other: SealedSecret): boolean {
  return one.keyId === other.keyId && Buffer.compare(one.ciphertext, other.ciphertext) === 0;
}
