import type { SecretSeal } from '@reseller/service-kit';
import type { SigningKeyRepository } from './signing-key.repository';

/**
 * Puts every signing key under the first key of KEY_ENCRYPTION_KEY, so that an older one may be taken out once this has run;
 * returns how many were moved. Rejects when one does not open. Safe on several instances at once.
 */
export async function resealSigningKeys(
  signingKeys: SigningKeyRepository,
  seal: SecretSeal,
): Promise<number> {
  const old = (await signingKeys.list()).filter(({ sealed }) => sealed.keyId !== seal.currentKeyId);
  for (const { keyId, sealed } of old)
    await signingKeys.reseal(keyId, sealed, seal.seal(keyId, seal.open(keyId, sealed)));
  return old.length;
}
