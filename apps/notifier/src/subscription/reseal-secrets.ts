import type { SubscriptionDeps } from './create-subscription';

/**
 * Puts every secret under the first key of WEBHOOK_SECRET_KEYS, so that an old key may be taken out once this has run;
 * returns how many were moved. Rejects when a secret does not open: the keys are not those it was sealed with, and it
 * is better not to start than to sign nothing. Safe on several instances at once.
 */
export async function resealSecrets({
  subscriptions,
  seal,
}: Pick<SubscriptionDeps, 'subscriptions' | 'seal'>): Promise<number> {
  const sample = await subscriptions.findSealedBy(seal.currentKeyId);
  if (sample) seal.open(sample.id, sample);
  let moved = 0;
  for (;;) {
    const batch = await subscriptions.listSealedOtherwise(seal.currentKeyId);
    if (batch.length === 0) return moved;
    for (const stored of batch)
      await subscriptions.reseal(stored, seal.seal(stored.id, seal.open(stored.id, stored)));
    moved += batch.length;
  }
}
