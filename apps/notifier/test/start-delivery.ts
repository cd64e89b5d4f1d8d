import { Environment } from '@reseller/contracts';
import type { WebhookEventTypeName } from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { createPrismaAdapter } from '@reseller/database';
import { SecretSeal } from '@reseller/service-kit';
import { silentLog, type TestDatabase } from '@reseller/testing';
import path from 'node:path';
import type { Pool } from 'pg';
import { v7 as newId } from 'uuid';
import { parseAllowedTargets } from '../src/address/domain/allowed-targets';
import { DnsHostResolver, type HostResolver } from '../src/address/host-resolver';
import { checkTarget } from '../src/address/check-target';
import { createDelivery, type DeliveryDeps, type DeliveryFeature } from '../src/delivery/create-delivery';
import type { ClaimedDelivery, RecordedAttempt } from '../src/delivery/delivery-queue.repository';
import { PrismaClient } from '../src/generated/prisma/client';
import { webhookBody, type WebhookEvent } from '../src/event/domain/webhook-event';
import { newSecret } from '../src/subscription/signing-secret';
import { SubscriptionRepository } from '../src/subscription/subscription.repository';

export const MIGRATIONS = path.join(__dirname, '../prisma/migrations');
const KEY = Buffer.alloc(32, 7);
export const SEAL = new SecretSeal('WEBHOOK_SECRET_KEYS', [{ id: 'k1', key: KEY }]);
/** The same key as a setting of the process. */
export const SEALING_KEYS = `k1:${KEY.toString('base64')}`;

type Settings = Partial<DeliveryDeps['settings']>;

export const SETTINGS: DeliveryDeps['settings'] = {
  retry: { baseMs: 30_000, capMs: 3_600_000 },
  perSubscription: 8,
  maxInFlight: 1_000,
  claimBatch: 500,
  leaseMs: 15_000,
  pollMs: 50,
  drainMs: 500,
  recordMs: 500,
  timeoutMs: 10_000,
};

const clients = new WeakMap<TestDatabase, PrismaClient>();

/** One client for each database: every client listens on its pool for as long as that lives. */
export function prismaOf(database: TestDatabase): PrismaClient {
  const client =
    clients.get(database) ?? new PrismaClient({ adapter: createPrismaAdapter(database.servicePool) });
  clients.set(database, client);
  return client;
}

/** The delivering half of notifier in this process, on a test's database. */
export function startDelivery(
  database: TestDatabase,
  options: {
    settings?: Settings;
    allowed?: string;
    resolver?: HostResolver;
    isIdle?: boolean;
    pool?: Pool;
  } = {},
): DeliveryFeature {
  const targets = {
    resolver: options.resolver ?? new DnsHostResolver(),
    allowed: parseAllowedTargets(options.allowed ?? '127.0.0.0/8') ?? [],
  };
  const delivery = createDelivery({
    pool: options.pool ?? database.servicePool,
    subscriptions: new SubscriptionRepository(prismaOf(database)),
    checkTarget: (url) => checkTarget(url, targets),
    openSecret: (id, sealed) => SEAL.open(id, sealed),
    settings: { ...SETTINGS, ...options.settings },
    log: silentLog,
  });
  if (!options.isIdle) delivery.worker.start();
  return delivery;
}

export interface TestSubscription {
  id: string;
  partnerId: string;
  secret: string;
  call: CallContext;
}

/** A subscription as its partner would have made it. */
export async function subscribe(
  { pool }: TestDatabase,
  url: string,
  more: { partnerId?: string; eventTypes?: WebhookEventTypeName[] } = {},
): Promise<TestSubscription> {
  const { partnerId = newId(), eventTypes = ['order.completed'] } = more;
  const id = newId();
  const secret = newSecret();
  const { ciphertext, keyId } = SEAL.seal(id, secret);
  await pool.query(
    `INSERT INTO webhook_subscriptions (id, partner_id, environment, url, event_types, secret_ciphertext, secret_key_id)
     VALUES ($1, $2, 'sandbox', $3, $4, $5, $6)`,
    [id, partnerId, url, eventTypes, ciphertext, keyId],
  );
  return { id, partnerId, secret, call: callOf(partnerId) };
}

function callOf(partnerId: string): CallContext {
  return {
    requestId: 'test',
    partner: {
      partnerId,
      partnerGlobalId: 'P-1',
      path: [partnerId],
      environment: Environment.SANDBOX,
      clientId: 'test',
    },
  };
}

/** An event of a partner, as ingest hands it over. */
export function eventFor(
  partnerId: string,
  eventType: WebhookEventTypeName = 'order.completed',
  orderGlobalId = 'TOP-1',
): WebhookEvent {
  const eventId = newId();
  const occurredAt = new Date();
  const data = { orderGlobalId, partnerId };
  const body = webhookBody({ eventId, eventType, occurredAt, data });
  return {
    eventId,
    partnerId,
    environment: 'sandbox',
    eventType,
    occurredAt,
    orderGlobalId,
    body,
    headers: {},
  };
}

export const eventsFor = (partnerId: string, count: number): WebhookEvent[] =>
  Array.from({ length: count }, () => eventFor(partnerId));

interface KeptDelivery {
  id: string;
  event_id: string;
  subscription_id: string;
  status: string;
  is_test: boolean;
  redelivery: number;
  attempts: {
    attemptNumber: number;
    attemptedAt: string;
    errorSummary: string | null;
    responseStatus: number | null;
    durationMs: number;
  }[];
  next_attempt_at: Date | null;
}

export async function keptDeliveries(
  { pool }: TestDatabase,
  subscriptionId?: string,
): Promise<KeptDelivery[]> {
  const { rows } = await pool.query<KeptDelivery>(
    'SELECT * FROM webhook_deliveries WHERE $1::uuid IS NULL OR subscription_id = $1 ORDER BY id',
    [subscriptionId ?? null],
  );
  return rows;
}

/** Lets everything that waits for its time be due now. */
export async function makeDue({ pool }: TestDatabase): Promise<void> {
  await pool.query('UPDATE webhook_pending_deliveries SET next_attempt_at = clock_timestamp()');
}

/** What a claimed delivery came to whose receiver took it. */
export const delivered = (claimed: ClaimedDelivery): RecordedAttempt => ({
  claimed,
  result: { responseStatus: 200, durationMs: 1, errorSummary: null },
  next: { status: 'Delivered' },
  endedAt: performance.now(),
});
