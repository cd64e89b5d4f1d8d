import { TOKEN_LIFETIME_SECONDS } from '../../token/domain/claims';

/** How long a verifier may use a key set without asking again. */
export const JWKS_MAX_AGE_MS = 300_000;

/** How old an instance's own knowledge of the keys may be. */
export const KEY_RING_MAX_AGE_MS = 30_000;

// Clocks of instances and verifiers may differ by this much before a token meets a key set that lacks its key.
const CLOCK_TOLERANCE_MS = 300_000;

/** A new key is published this long before it signs: every cached key set has been replaced by then. */
const PUBLISH_AHEAD_MS = JWKS_MAX_AGE_MS + KEY_RING_MAX_AGE_MS + CLOCK_TOLERANCE_MS;

/** A key stays published this long after its successor took over: all its tokens have expired by then. */
export const PUBLISH_AFTER_MS = TOKEN_LIFETIME_SECONDS * 1000 + KEY_RING_MAX_AGE_MS + CLOCK_TOLERANCE_MS;

/** A key's place in time: it signs from `signFrom` until the next generation's `signFrom`. */
export interface ScheduledKey {
  generation: number;
  signFrom: Date;
}

/** A key that was made; once revoked it neither signs nor verifies. */
export interface MadeKey extends ScheduledKey {
  revokedAt: Date | null;
}

/** The key that signs now, out of keys in order of generation; the first one when none has begun yet. */
export function signingKeyAt<K extends MadeKey>(keys: readonly K[], now: Date): K | undefined {
  const good = keys.filter((key) => !key.revokedAt);
  return good.findLast((key) => key.signFrom.getTime() <= now.getTime()) ?? good[0];
}

/** The keys a verifier has to know now: the coming, the present, and the past ones whose tokens may still live. */
export function publishedKeysAt<K extends MadeKey>(keys: readonly K[], now: Date): K[] {
  return keys.filter((key, index) => {
    if (key.revokedAt) return false;
    const successor = keys[index + 1];
    return !successor || successor.signFrom.getTime() + PUBLISH_AFTER_MS > now.getTime();
  });
}

/** The place in time of the next key, or undefined while none is due. */
export function nextKeyDue(
  latest: ScheduledKey | undefined,
  now: Date,
  rotationMs: number,
): ScheduledKey | undefined {
  if (!latest) return { generation: 1, signFrom: now };
  const planned = latest.signFrom.getTime() + rotationMs;
  if (now.getTime() < planned - PUBLISH_AHEAD_MS) return undefined;
  // Late, after a standstill say: the old key goes on signing until the new one has been published long enough.
  return {
    generation: latest.generation + 1,
    signFrom: new Date(Math.max(planned, now.getTime() + PUBLISH_AHEAD_MS)),
  };
}
