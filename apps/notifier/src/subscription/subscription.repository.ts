import type { PageInfo, PageRequest } from '@reseller/contracts';
import { isCheckViolation, pageBounds, query, toPageInfo, type PreparedStatement } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { WebhookEventTypeName } from '@reseller/presenters';
import type { Pool } from 'pg';
import type { PrismaClient } from '../generated/prisma/client';
import type { Scope } from '../scope';
import type { Subscription } from './domain/subscription';
import type { SealedSecret } from './secret-seal';

const COLUMNS = `id, partner_id AS "partnerId", environment, url, event_types AS "eventTypes", is_active AS "isActive",
  created_at AS "createdAt", last_delivery_at AS "lastDeliveryAt", last_delivery_status AS "lastDeliveryStatus"`;
const OWN = 'id = $1 AND partner_id = $2 AND environment = $3';

const statement = (name: string, text: string): PreparedStatement => ({ name: `webhook-${name}`, text });

const INSERT = statement(
  'insert',
  `INSERT INTO webhook_subscriptions (id, partner_id, environment, url, event_types, secret_ciphertext, secret_key_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
);
const UPDATE = statement(
  'update',
  `UPDATE webhook_subscriptions SET url = coalesce($4, url), event_types = coalesce($5, event_types),
     updated_at = clock_timestamp() WHERE ${OWN} RETURNING ${COLUMNS}`,
);
const SET_ACTIVE = statement(
  'set-active',
  `UPDATE webhook_subscriptions SET is_active = $4,
     updated_at = CASE WHEN is_active = $4 THEN updated_at ELSE clock_timestamp() END
   WHERE ${OWN} RETURNING ${COLUMNS}`,
);
const SET_SECRET = statement(
  'set-secret',
  `UPDATE webhook_subscriptions SET secret_ciphertext = $4, secret_key_id = $5, updated_at = clock_timestamp()
   WHERE ${OWN} RETURNING ${COLUMNS}`,
);
const DELETE = statement('delete', `DELETE FROM webhook_subscriptions WHERE ${OWN} RETURNING ${COLUMNS}`);
const FIND = statement('find', `SELECT ${COLUMNS} FROM webhook_subscriptions WHERE ${OWN}`);
const LIST_SEALED_OTHERWISE = statement(
  'list-sealed-otherwise',
  `SELECT id, secret_ciphertext AS ciphertext, secret_key_id AS "keyId" FROM webhook_subscriptions
   WHERE secret_key_id <> $1 ORDER BY id LIMIT 500`,
);
const FIND_SEALED_BY = statement(
  'find-sealed-by',
  `SELECT id, secret_ciphertext AS ciphertext, secret_key_id AS "keyId" FROM webhook_subscriptions
   WHERE secret_key_id = $1 LIMIT 1`,
);
const RESEAL = statement(
  'reseal',
  `UPDATE webhook_subscriptions SET secret_ciphertext = $3, secret_key_id = $4
   WHERE id = $1 AND secret_ciphertext = $2`,
);

/** A stored secret and whose it is. */
export interface StoredSecret extends SealedSecret {
  readonly id: string;
}

/** What is changed; what is undefined stays. */
export interface SubscriptionChanges {
  readonly url: string | undefined;
  readonly eventTypes: readonly WebhookEventTypeName[] | undefined;
}

/** Reads and writes subscriptions, each statement within one partner and environment. */
export class SubscriptionRepository {
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Stores an active one; BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT when five are active. */
  async insert(
    scope: Scope,
    subscription: {
      id: string;
      url: string;
      eventTypes: readonly WebhookEventTypeName[];
      secret: SealedSecret;
    },
  ): Promise<Subscription> {
    const { id, url, eventTypes, secret } = subscription;
    const values = [id, scope.partnerId, scope.environment, url, eventTypes, secret.ciphertext, secret.keyId];
    const [row] = await withinLimit(query<Subscription>(this.pool, INSERT, values));
    if (!row) throw new Error('an insert answered no row');
    return row;
  }

  /** The scope's own one, if there is one. */
  find(scope: Scope, id: string): Promise<Subscription | undefined> {
    return this.one(FIND, scope, id);
  }

  /** A page of the scope's own ones, newest first. */
  async list(
    scope: Scope,
    page: PageRequest | undefined,
  ): Promise<{ subscriptions: Subscription[]; page: PageInfo }> {
    const { partnerId, environment } = scope;
    const where = { partnerId, environment };
    const { limit, offset } = pageBounds(page);
    const totalCount = await this.prisma.webhookSubscription.count({ where });
    const rows =
      offset >= totalCount
        ? []
        : await this.prisma.webhookSubscription.findMany({
            where,
            omit: { secretCiphertext: true, secretKeyId: true },
            orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
            take: limit,
            skip: offset,
          });
    const subscriptions = rows.map((row) => ({
      ...row,
      eventTypes: row.eventTypes as WebhookEventTypeName[],
    }));
    return { subscriptions, page: toPageInfo(page, totalCount) };
  }

  /** Changes what is given; undefined when there is no such one. */
  update(scope: Scope, id: string, changes: SubscriptionChanges): Promise<Subscription | undefined> {
    return this.one(UPDATE, scope, id, changes.url ?? null, changes.eventTypes ?? null);
  }

  /** Pauses or resumes; undefined when there is no such one, BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT past five. */
  setActive(scope: Scope, id: string, isActive: boolean): Promise<Subscription | undefined> {
    return withinLimit(this.one(SET_ACTIVE, scope, id, isActive));
  }

  /** Replaces the secret; undefined when there is no such one. */
  setSecret(
    scope: Scope,
    id: string,
    { ciphertext, keyId }: SealedSecret,
  ): Promise<Subscription | undefined> {
    return this.one(SET_SECRET, scope, id, ciphertext, keyId);
  }

  /** Removes it with what is pending and returns it as it was; undefined when there is no such one. */
  delete(scope: Scope, id: string): Promise<Subscription | undefined> {
    return this.one(DELETE, scope, id);
  }

  /** Up to 500 secrets that are sealed with another key than this. */
  listSealedOtherwise(keyId: string): Promise<StoredSecret[]> {
    return query<StoredSecret>(this.pool, LIST_SEALED_OTHERWISE, [keyId]);
  }

  /** One secret that is sealed with this key, if there is any. */
  async findSealedBy(keyId: string): Promise<StoredSecret | undefined> {
    const [row] = await query<StoredSecret>(this.pool, FIND_SEALED_BY, [keyId]);
    return row;
  }

  /** Puts the same secret under another key, unless it was rotated meanwhile. */
  async reseal(old: StoredSecret, { ciphertext, keyId }: SealedSecret): Promise<void> {
    await query(this.pool, RESEAL, [old.id, old.ciphertext, ciphertext, keyId]);
  }

  private async one(
    text: PreparedStatement,
    scope: Scope,
    id: string,
    ...values: unknown[]
  ): Promise<Subscription | undefined> {
    const [row] = await query<Subscription>(this.pool, text, [
      id,
      scope.partnerId,
      scope.environment,
      ...values,
    ]);
    return row;
  }
}

async function withinLimit<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!isCheckViolation(error, 'active_webhook_limit')) throw error;
    throw new AppError('BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT', {}, { cause: error });
  }
}
