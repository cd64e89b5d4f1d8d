import type { SecretSeal } from '@reseller/service-kit';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import type { Clock } from '../clock';
import { PUBLISH_AFTER_MS, nextKeyDue, type ScheduledKey } from './domain/key-schedule';
import type { SigningKeyRecord, SigningKeyRepository } from './signing-key.repository';

/** What the rotation needs; `rotationMs` is how long each key signs. */
interface RotationDeps {
  signingKeys: SigningKeyRepository;
  seal: SecretSeal;
  clock: Clock;
  rotationMs: number;
}

/** What a round of rotation did. */
export interface RotationResult {
  created: string | undefined;
  forgotten: number;
}

/**
 * Makes the next key when it is due and forgets those no token needs any more; safe to run as often as one likes and
 * on every instance at once (spec §2.3).
 */
export async function rotateSigningKeys(deps: RotationDeps): Promise<RotationResult> {
  const now = deps.clock.now();
  const due = nextKeyDue(await deps.signingKeys.findLatest(), now, deps.rotationMs);
  let created: string | undefined;
  if (due) {
    const key = await generateKey(deps.seal, due, now);
    if (await deps.signingKeys.insertOnce(key)) created = key.keyId;
  }
  const forgotten = await deps.signingKeys.deleteSucceeded(new Date(now.getTime() - PUBLISH_AFTER_MS));
  return { created, forgotten };
}

/** A new key, sealed for its row. */
export async function generateKey(
  seal: SecretSeal,
  place: ScheduledKey,
  now: Date,
): Promise<SigningKeyRecord> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const bare = await exportJWK(publicKey);
  const keyId = await calculateJwkThumbprint(bare);
  const publicJwk = { ...bare, kid: keyId, alg: 'EdDSA', use: 'sig' };
  const sealed = seal.seal(keyId, await exportPKCS8(privateKey));
  return { ...place, keyId, publicJwk, sealed, createdAt: now, revokedAt: null };
}
