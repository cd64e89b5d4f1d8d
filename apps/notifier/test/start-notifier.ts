import { DeliveryOperationsServiceService, Environment, WebhookServiceService } from '@reseller/contracts';
import {
  closeRpcClients,
  createRpcClients,
  type CallContext,
  type RpcClients,
  type RpcClientTable,
} from '@reseller/rpc';
import { runService } from '@reseller/service-kit';
import type { TestDatabase } from '@reseller/testing';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { describeService } from '../src/service';

export const MIGRATIONS = path.join(__dirname, '../prisma/migrations');

/** A key in the form WEBHOOK_SECRET_KEYS takes. */
export const newSealingKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** The settings a notifier cannot do without. */
const requiredSettings = (database: TestDatabase): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  SHUTDOWN_GRACE_MS: '1000',
  MIGRATE_ON_START: 'true',
  DATABASE_URL: database.serviceUrl,
  EVENT_BUS_URL: database.url,
  WEBHOOK_SECRET_KEYS: SEALING_KEY,
});

/** The key of all notifiers of a run, unless a test gives others. */
export const SEALING_KEY = newSealingKey('test');

const SERVICES = {
  webhooks: [WebhookServiceService, 'notifier'],
  operations: [DeliveryOperationsServiceService, 'notifier'],
} as const satisfies RpcClientTable<'notifier'>;

/** A whole notifier in this process and its clients; `stop` ends it, the database stays. */
export interface RunningNotifier extends RpcClients<typeof SERVICES> {
  /** host:port of its RPCs. */
  address: string;
  /** What it shows at /metrics. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts notifier as it is deployed, on the given database, which is the event bus's as well. */
export async function startNotifier(
  database: TestDatabase,
  env: Record<string, string> = {},
): Promise<RunningNotifier> {
  const service = describeService(MIGRATIONS);
  const running = await runService(service, { ...requiredSettings(database), ...env });
  const address = `127.0.0.1:${running.grpcPort}`;
  const clients = createRpcClients(SERVICES, { notifier: address }, { defaultDeadlineMs: 60_000 });
  return {
    ...clients,
    address,
    metrics: async () => (await fetch(`http://127.0.0.1:${running.httpPort}/metrics`)).text(),
    stop: async () => {
      closeRpcClients(clients);
      await running.stop();
    },
  };
}

/** A call of a partner of its own, so that tests see only what is theirs. */
export function someCall(
  environment: Environment = Environment.SANDBOX,
  partnerId: string = uuidv7(),
): CallContext & { partner: NonNullable<CallContext['partner']> } {
  return {
    requestId: 'req-test',
    partner: {
      partnerId,
      partnerGlobalId: 'PRT-000001',
      path: [partnerId],
      environment,
      clientId: 'client-test',
    },
  };
}
