import type { GetRevocationsRequest, GetRevocationsResponse } from '@reseller/contracts';
import { createHash } from 'node:crypto';
import { TOKEN_LIFETIME_SECONDS } from './domain/claims';
import type { RevocationRepository } from './revocation.repository';

/** Twice a token's life: a request that found the credential unrevoked may sign its token some seconds after the revocation. */
const REVOKED_FOR_MS = 2 * TOKEN_LIFETIME_SECONDS * 1000;

/** The tokens to refuse before they expire (spec §18.5), left out where the caller knows them already. */
export async function getRevocations(
  revocations: RevocationRepository,
  { knownVersion }: GetRevocationsRequest,
): Promise<GetRevocationsResponse> {
  const lists = await revocations.list(REVOKED_FOR_MS);
  const version = createHash('sha256').update(JSON.stringify(lists)).digest('base64url');
  return version === knownVersion
    ? { version, isUnchanged: true, frozenPartnerIds: [], revokedClientIds: [], revokedKeyIds: [] }
    : { version, isUnchanged: false, ...lists };
}
