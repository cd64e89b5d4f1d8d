import type { SecretSeal } from '@reseller/service-kit';
import type { AuditRepository } from '../audit/audit.repository';
import type { Operator } from '../audit/operator';
import type { Clock } from '../clock';
import type { Transact } from '../transaction';
import { generateKey } from './rotate-signing-keys';
import type { SigningKeyRepository } from './signing-key.repository';

/** What revoking the signing keys needs. */
interface RevokeSigningKeysDeps {
  transact: Transact;
  signingKeys: SigningKeyRepository;
  seal: SecretSeal;
  audit: AuditRepository;
  clock: Clock;
}

/**
 * Revokes every signing key, the coming one too, and makes one that signs at once: for keys that leaked, so nothing is published
 * ahead of time. Tokens by the old ones are refused as soon as a gateway has fetched the revocations.
 */
export async function revokeSigningKeys(
  { transact, signingKeys, seal, audit, clock }: RevokeSigningKeysDeps,
  operator: Operator,
): Promise<{ revoked: string[]; created: string }> {
  const now = clock.now();
  return transact(async (tx) => {
    const revoked = await signingKeys.revokeAll(now, tx);
    const latest = await signingKeys.findLatest(tx);
    const key = await generateKey(seal, { generation: (latest?.generation ?? 0) + 1, signFrom: now }, now);
    if (!(await signingKeys.insertOnce(key, tx)))
      throw new Error('a signing key was made at the same moment; try again');
    await audit.append(
      { ...operator, action: 'signing-key.revoke', details: { revoked, created: key.keyId } },
      tx,
    );
    return { revoked, created: key.keyId };
  });
}
