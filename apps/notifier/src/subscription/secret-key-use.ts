import type { PrismaClient } from '../generated/prisma/client';

/** What needs a key of WEBHOOK_SECRET_KEYS. */
interface SecretKeyUse {
  keyId: string;
  webhooks: number;
  /** Responses that are kept for repetitions of an idempotency key; each goes a day after it was given. */
  keptResponses: number;
}

/** How many webhooks and kept responses need each key of WEBHOOK_SECRET_KEYS. */
export async function countSecretKeyUse(prisma: PrismaClient): Promise<SecretKeyUse[]> {
  const [webhooks, responses] = await Promise.all([
    prisma.webhookSubscription.groupBy({ by: ['secretKeyId'], _count: true }),
    prisma.idempotencyKey.groupBy({ by: ['sealedWith'], where: { sealedWith: { not: null } }, _count: true }),
  ]);
  const webhooksOf = new Map(webhooks.map(({ secretKeyId, _count }) => [secretKeyId, _count]));
  const responsesOf = new Map(responses.map(({ sealedWith, _count }) => [sealedWith ?? '', _count]));
  return [...new Set([...webhooksOf.keys(), ...responsesOf.keys()])].sort().map((keyId) => ({
    keyId,
    webhooks: webhooksOf.get(keyId) ?? 0,
    keptResponses: responsesOf.get(keyId) ?? 0,
  }));
}
