import { query, type PreparedStatement } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { Pool } from 'pg';
import { isUuid, type Scope } from '../scope';
import type { SealedSecret } from '../subscription/secret-seal';

/** Where a subscription's events go, and what signs them. */
export interface SubscriptionTarget {
  id: string;
  url: string;
  sealed: SealedSecret;
}

const FIND: PreparedStatement = {
  name: 'webhook-target',
  text: `SELECT url, secret_ciphertext, secret_key_id FROM webhook_subscriptions
         WHERE id = $1 AND partner_id = $2 AND environment = $3`,
};

/** The scope's own subscription as it is at this moment; NOT_FOUND_WEBHOOK_SUBSCRIPTION for any other. */
export async function getSubscriptionTarget(
  pool: Pool,
  scope: Scope,
  id: string,
): Promise<SubscriptionTarget> {
  const [row] = isUuid(id)
    ? await query<{ url: string; secret_ciphertext: Buffer; secret_key_id: string }>(pool, FIND, [
        id,
        scope.partnerId,
        scope.environment,
      ])
    : [];
  if (!row) throw new AppError('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
  return { id, url: row.url, sealed: { ciphertext: row.secret_ciphertext, keyId: row.secret_key_id } };
}
