import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RPC_POLICIES } from '@reseller/contracts';
import { eventually, startReplicatedPostgres, type ReplicatedTestPostgres } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { newTopup } from '../../src/clients/bodies';
import { OperatorBrowser } from '../../src/clients/operator-browser';
import { OperatorClient, type TestPartner } from '../../src/clients/operator-client';
import { expectSuccess, type ApiResponse } from '../../src/clients/response';
import { startPlatform, type StartedPlatform } from '../../src/platform/start-platform';
import { countsBetween, readCounts, type ReadCounts } from '../../src/replica/read-counts';

const HOUR_MS = 3_600_000;
const STALE = { 'cache-control': 'max-stale' };
const SPAN = `from=${new Date(Date.now() - HOUR_MS).toISOString()}&to=${new Date(Date.now() + HOUR_MS).toISOString()}`;

/** A call of the operators' API that leads to each RPC that may be stale. */
const READS: Readonly<Record<string, string>> = {
  'orders.v1.OrderOperationsService/ListAllOrders': '/orders',
  'orders.v1.OrderOperationsService/SearchOrders': '/search?q=Test',
  'orders.v1.OrderOperationsService/GetOrderOverview': `/overview?environment=live&${SPAN}`,
  'notifier.v1.DeliveryOperationsService/ListAllWebhookDeliveries': '/webhook-deliveries',
  'notifier.v1.DeliveryOperationsService/SearchWebhookDeliveries': '/search?q=Test',
  'notifier.v1.DeliveryOperationsService/CountWebhookDeliveries': `/overview?environment=live&${SPAN}`,
  'identity.v1.AuditService/ListAuditEntries': '/audit',
  'identity.v1.AuditService/ListAuditEntriesInSequence': '/audit/csv',
  'identity.v1.PartnerService/SearchPartners': '/search?q=Test',
  // Statements have a test of their own: the operators' API has their lines only as PDF.
  'finance.v1.StatementService/ListStatementLines': '',
};
const SERVICE_OF: Readonly<Record<string, string>> = { orders: 'orders-saga' };

describe('a platform with a replica', () => {
  let postgres: ReplicatedTestPostgres;
  let standby: pg.Client;
  let platform: StartedPlatform;
  let operator: OperatorClient;
  let partner: TestPartner;

  beforeAll(async () => {
    postgres = await startReplicatedPostgres();
    standby = new pg.Client({ connectionString: postgres.standby.url });
    standby.on('error', () => undefined);
    await standby.connect();
    platform = await startPlatform({
      POSTGRES_ADMIN_URL: postgres.url,
      POSTGRES_REPLICA_URL: postgres.standby.url,
    });
    process.env.PLATFORM_JSON = platform.file;
    operator = new OperatorClient(platform.description);
    partner = await operator.newPartner({ deposit: 1_000 });
    expectSuccess(await partner.live.call('/orders/topup', { body: newTopup() }));
  });
  afterAll(async () => {
    await platform.stop();
    await standby.end();
    await postgres.stop();
  });

  /** What a call has services count. */
  async function counted(service: string, call: () => Promise<{ status: number }>): Promise<ReadCounts> {
    const before = await readCounts(service);
    const { status } = await call();
    expect(status).toBe(200);
    return countsBetween(before, await readCounts(service));
  }
  const raw = async (path: string): Promise<{ status: number }> => {
    const { backofficeUrl, operatorToken } = platform.description;
    const headers = { authorization: `Bearer ${operatorToken}`, ...STALE };
    const response = await fetch(`${backofficeUrl}/ops/v1${path}`, { headers });
    await response.text();
    return response;
  };

  const declared = Object.entries(RPC_POLICIES).flatMap(([rpc, { mayBeStale }]) =>
    mayBeStale ? [rpc.replace('/reseller.', '')] : [],
  );
  test('when the contracts say what may be stale, then there is a call here for each', () => {
    expect(declared.sort()).toEqual(Object.keys(READS).sort());
  });

  test.each(Object.entries(READS).filter(([, path]) => path !== ''))(
    'when a program accepts what is older of %s, then the standby serves it',
    async (rpc, path) => {
      const [name = ''] = rpc.split('.');
      const service = SERVICE_OF[name] ?? name;
      await eventually(async () =>
        expect(await counted(service, () => raw(path))).toEqual({ replica: 1, stale: 0, failed: 0 }),
      );
    },
  );

  test('when a partner or an operator reads a statement’s lines, then the standby serves them once it has them', async () => {
    const now = Date.now();
    const period = { periodFrom: new Date(now - HOUR_MS), periodTo: new Date(now) };
    const { id } = await operator.post<{ id: string }>('/statements', {
      ...{ partnerId: partner.id, environment: 'live' },
      ...period,
    });
    for (const read of [
      () => partner.live.call(`/statements/${id}`),
      () => raw(`/statements/${id}/pdf?partnerId=${partner.id}&environment=live`),
    ])
      await eventually(async () => {
        const { replica, failed } = await counted('finance', read);
        expect([replica > 0, failed]).toEqual([true, 0]);
      });
  });

  test('when a program does not say so, then nothing of it is older', async () => {
    const read = () => operator.call('/orders');
    expect(await counted('orders-saga', read)).toEqual({ replica: 0, stale: 0, failed: 0 });
  });

  test('when an operator at the console changes something, then the next read shows it, though the replica does not', async () => {
    const { description } = platform;
    const { username = '', password = '' } = description.operators.find(({ role }) => role === 'admin') ?? {};
    const browser = new OperatorBrowser(description.backofficeUrl);
    await browser.signIn(username, password);
    const name = `Replica ${randomUUID()}`;
    const find = () => browser.call<{ partners: unknown[] }>(`/ops/v1/search?q=${encodeURIComponent(name)}`);
    await eventually(async () =>
      expect(await counted('identity', find)).toEqual({ replica: 1, stale: 0, failed: 0 }),
    );
    await standby.query('SELECT pg_wal_replay_pause()');
    try {
      const changed: ApiResponse<unknown> = await browser.change('/ops/v1/partners', { body: { name } });
      expect(changed.status).toBe(200);
      for (const cookie of changed.headers.getSetCookie())
        browser.plant(new URL(description.backofficeUrl), cookie.split(';')[0] ?? '');
      expect(expectSuccess(await find()).partners).toHaveLength(1);
    } finally {
      await standby.query('SELECT pg_wal_replay_resume()');
    }
  });

  test('when the standby dies, then the primary serves every read', async () => {
    await eventually(async () =>
      expect((await counted('orders-saga', () => raw('/orders'))).replica).toBe(1),
    );
    process.kill(postgres.standby.pid, 'SIGKILL');
    await eventually(async () => {
      expect((await counted('orders-saga', () => raw('/orders'))).stale).toBe(1);
    });
  });
});
