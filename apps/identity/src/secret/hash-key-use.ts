import type { PrismaClient } from '../generated/prisma/client';

/** How many credentials and operator tokens, out of those that may still be used, need each key of CREDENTIAL_HASH_KEY. */
export async function countHashKeyUse(prisma: PrismaClient, now: Date): Promise<HashKeyUse[]> {
  const where = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  const [credentials, operatorTokens] = await Promise.all([
    prisma.credential.groupBy({ by: ['hashKeyId'], where, _count: true }),
    prisma.operatorToken.groupBy({ by: ['hashKeyId'], where, _count: true }),
  ]);
  const ids = new Set([...credentials, ...operatorTokens].map(({ hashKeyId }) => hashKeyId));
  const countOf = (rows: { hashKeyId: string; _count: number }[], id: string): number =>
    rows.find(({ hashKeyId }) => hashKeyId === id)?._count ?? 0;
  return [...ids].sort().map((keyId) => ({
    keyId,
    credentials: countOf(credentials, keyId),
    operatorTokens: countOf(operatorTokens, keyId),
  }));
}

/** What needs a key. */
interface HashKeyUse {
  keyId: string;
  credentials: number;
  operatorTokens: number;
}

/** Rejects, naming key and counts, when something that may still be used needs a key that is not listed. */
export async function requireHashKeys(prisma: PrismaClient, keyIds: string[], now: Date): Promise<void> {
  const missing = (await countHashKeyUse(prisma, now)).find(({ keyId }) => !keyIds.includes(keyId));
  if (!missing) return;
  const { keyId, credentials, operatorTokens } = missing;
  throw new Error(
    `CREDENTIAL_HASH_KEY has no key ${keyId}, which ${credentials} credentials and ${operatorTokens} operator tokens need: ` +
      'list it, after the first, or revoke them before',
  );
}
