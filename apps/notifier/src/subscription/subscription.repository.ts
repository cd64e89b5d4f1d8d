import type { PageInfo, PageRequest } from '@reseller/contracts';
import { isCheckViolation, pageBounds, toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { WebhookEventTypeName } from '@reseller/presenters';
import type { EnvironmentName, PartnerScope } from '@reseller/rpc';
import type { SealedSecret } from '@reseller/service-kit';
import type { Prisma, WebhookSubscription } from '../generated/prisma/client';
import type { Subscription } from './domain/subscription';

/** A stored secret and whose it is. */
interface StoredSecret extends SealedSecret {
  readonly id: string;
}

/** What is changed; what is undefined stays. */
interface SubscriptionChanges {
  readonly url: string | undefined;
  readonly eventTypes: readonly WebhookEventTypeName[] | undefined;
}

/** Where a subscription's events go, and what signs them. */
export interface SubscriptionTarget {
  id: string;
  url: string;
  sealed: SealedSecret;
}

/** Of the subscription with this id. */
type LastAttempt = Pick<Subscription, 'id' | 'lastDeliveryAt' | 'lastDeliveryStatus'>;

const RESEALED_AT_ONCE = 500;
/** What the check webhook_limit holds (spec §14.4). */
const MOST_SUBSCRIPTIONS = 20;
const SECRET = { id: true, secretCiphertext: true, secretKeyId: true } as const;

/** Reads and writes subscriptions, each statement within one partner and environment. */
export class SubscriptionRepository {
  constructor(private readonly prisma: Prisma.TransactionClient) {}

  /** Stores an active one; BUSINESS_RESOURCE_LIMIT when there are 20, BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT when five are active. */
  async insert(
    { partnerId, environment }: PartnerScope,
    subscription: {
      id: string;
      url: string;
      eventTypes: readonly WebhookEventTypeName[];
      secret: SealedSecret;
    },
  ): Promise<Subscription> {
    const { id, url, eventTypes, secret } = subscription;
    const data = { id, partnerId, environment, url, eventTypes: [...eventTypes], ...toColumns(secret) };
    return toSubscription(await withinLimit(this.prisma.webhookSubscription.create({ data })));
  }

  /** The scope's own one, if there is one. */
  async find(scope: PartnerScope, id: string): Promise<Subscription | undefined> {
    const row = await this.prisma.webhookSubscription.findUnique({ where: own(scope, id) });
    return row ? (await this.withLastAttempts([row]))[0] : undefined;
  }

  /** Where the scope's own one sends, and its secret as they are at this moment, if there is one. */
  async findTarget(scope: PartnerScope, id: string): Promise<SubscriptionTarget | undefined> {
    const select = { ...SECRET, url: true };
    const row = await this.prisma.webhookSubscription.findUnique({ where: own(scope, id), select });
    return row ? { id: row.id, url: row.url, sealed: toSealed(row) } : undefined;
  }

  /** A page of the partner's own ones, newest first; in both environments where none is given. */
  async list(
    { partnerId, environment }: Pick<PartnerScope, 'partnerId'> & Partial<PartnerScope>,
    page: PageRequest | undefined,
  ): Promise<{ subscriptions: Subscription[]; page: PageInfo }> {
    const where = { partnerId, ...(environment && { environment }) };
    const { limit: take, offset: skip } = pageBounds(page);
    const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
    const [totalCount, rows] = await Promise.all([
      this.prisma.webhookSubscription.count({ where }),
      this.prisma.webhookSubscription.findMany({ where, orderBy, take, skip }),
    ]);
    return { subscriptions: await this.withLastAttempts(rows), page: toPageInfo(page, totalCount) };
  }

  /** Changes what is given; undefined when there is no such one. */
  update(
    scope: PartnerScope,
    id: string,
    { url, eventTypes }: SubscriptionChanges,
  ): Promise<Subscription | undefined> {
    const data = { ...(url !== undefined && { url }), ...(eventTypes && { eventTypes: [...eventTypes] }) };
    return this.change(own(scope, id), data);
  }

  /** Pauses or resumes; undefined when there is no such one, BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT past five. */
  async setActive(scope: PartnerScope, id: string, isActive: boolean): Promise<Subscription | undefined> {
    const changing = { ...own(scope, id), isActive: !isActive };
    return (await withinLimit(this.change(changing, { isActive }))) ?? this.find(scope, id);
  }

  /** Replaces the secret; undefined when there is no such one. */
  setSecret(scope: PartnerScope, id: string, secret: SealedSecret): Promise<Subscription | undefined> {
    return this.change(own(scope, id), toColumns(secret));
  }

  /** Removes it with what is pending and returns it as it was; undefined when there is no such one. */
  async delete(scope: PartnerScope, id: string): Promise<Subscription | undefined> {
    const present = await this.find(scope, id);
    const { count } = await this.prisma.webhookSubscription.deleteMany({ where: own(scope, id) });
    return count > 0 ? present : undefined;
  }

  /** Up to 500 secrets that are sealed with another key than this. */
  async listSealedOtherwise(keyId: string): Promise<StoredSecret[]> {
    const rows = await this.prisma.webhookSubscription.findMany({
      where: { secretKeyId: { not: keyId } },
      select: SECRET,
      orderBy: { id: 'asc' },
      take: RESEALED_AT_ONCE,
    });
    return rows.map((row) => ({ id: row.id, ...toSealed(row) }));
  }

  /** One secret that is sealed with this key, if there is any. */
  async findSealedBy(keyId: string): Promise<StoredSecret | undefined> {
    const row = await this.prisma.webhookSubscription.findFirst({
      where: { secretKeyId: keyId },
      select: SECRET,
    });
    return row ? { id: row.id, ...toSealed(row) } : undefined;
  }

  /** Puts the same secret under another key, unless it was rotated meanwhile. */
  async reseal(old: StoredSecret, secret: SealedSecret): Promise<void> {
    await this.prisma.webhookSubscription.updateMany({
      where: { id: old.id, secretCiphertext: new Uint8Array(old.ciphertext) },
      data: toColumns(secret),
    });
  }

  private async change(
    where: Prisma.WebhookSubscriptionWhereInput,
    data: Prisma.WebhookSubscriptionUpdateInput,
  ): Promise<Subscription | undefined> {
    const [row] = await this.prisma.webhookSubscription.updateManyAndReturn({
      where,
      data: { ...data, updatedAt: new Date() },
    });
    return row && (await this.withLastAttempts([row]))[0];
  }

  // Raw: one probe of the index for each, which Prisma cannot.
  private async withLastAttempts(rows: readonly WebhookSubscription[]): Promise<Subscription[]> {
    const last = await this.prisma.$queryRaw<LastAttempt[]>`
      SELECT l.subscription_id AS id, l.attempted_at AS "lastDeliveryAt", l.status AS "lastDeliveryStatus"
      FROM unnest(${rows.map(({ id }) => id)}::uuid[]) AS s (id) CROSS JOIN LATERAL (
        SELECT * FROM webhook_last_attempts WHERE subscription_id = s.id ORDER BY minute DESC LIMIT 1) l`;
    const lastOf = new Map(last.map((one) => [one.id, one]));
    return rows.map((row) => toSubscription(row, lastOf.get(row.id)));
  }
}

const own = ({ partnerId, environment }: PartnerScope, id: string) => ({ id, partnerId, environment });

const toColumns = ({ ciphertext, keyId }: SealedSecret) => ({
  secretCiphertext: new Uint8Array(ciphertext),
  secretKeyId: keyId,
});

const toSealed = (row: Pick<WebhookSubscription, 'secretCiphertext' | 'secretKeyId'>): SealedSecret => ({
  ciphertext: row.secretCiphertext,
  keyId: row.secretKeyId,
});

function toSubscription(row: WebhookSubscription, last?: LastAttempt): Subscription {
  const { id, partnerId, url, isActive, createdAt } = row;
  return {
    ...{ id, partnerId, url, isActive, createdAt },
    lastDeliveryAt: last?.lastDeliveryAt ?? null,
    lastDeliveryStatus: last?.lastDeliveryStatus ?? null,
    environment: row.environment as EnvironmentName,
    eventTypes: row.eventTypes as WebhookEventTypeName[],
  };
}

/** The checks of webhook_counts are the limits. */
async function withinLimit<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (isCheckViolation(error, 'webhook_limit'))
      throw new AppError('BUSINESS_RESOURCE_LIMIT', { limit: MOST_SUBSCRIPTIONS }, { cause: error });
    if (isCheckViolation(error, 'webhook_limit_of_active'))
      throw new AppError('BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT', {}, { cause: error });
    throw error;
  }
}
