import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PartnerRegistered, PartnerServiceService, PartnerUpdated } from '@reseller/contracts';
import { createPostgresEventBus, type DomainEvent } from '@reseller/messaging';
import { createRpcClient } from '@reseller/rpc';
import { ConfigError, runService, type RunningService } from '@reseller/service-kit';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { describeServiceLife } from '@reseller/testing/jest';
import { describeService } from '../src/service';
import { MIGRATIONS, byOperator, keysAsText, settings } from './identity-fixture';

const service = describeService(MIGRATIONS);

let database: TestDatabase;
let busDatabase: TestDatabase;
let running: RunningService | undefined;
const environment = (): Record<string, string> => ({
  NODE_ENV: 'test',
  DATABASE_URL: database.serviceUrl,
  EVENT_BUS_URL: busDatabase.url,
  MIGRATE_ON_START: 'true',
  LOG_LEVEL: 'silent',
  TOKEN_ISSUER: settings.TOKEN_ISSUER,
  ...keysAsText,
});

describeServiceLife({
  name: 'identity',
  table: 'partners',
  jobs: ['publish-audit-head', 'retention', 'rotate-signing-keys', 'settle-limits'],
  settings: { TOKEN_ISSUER: settings.TOKEN_ISSUER, ...keysAsText },
  start: (given) => runService(service, given),
});

describe('identity as a service', () => {
  beforeEach(async () => {
    [database, busDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await Promise.all([database.drop(), busDatabase.drop()]);
  });

  it('when partners change, then each change reaches the event bus once, in the order of its version', async () => {
    running = await runService(service, environment());
    expect((await fetch(`http://127.0.0.1:${running.httpPort}/readyz`)).status).toBe(200);
    const bus = createPostgresEventBus({ connectionString: busDatabase.url, log: silentLog });
    const received: DomainEvent[] = [];
    const subscription = bus.subscribe({
      group: 'test',
      topics: ['reseller.identity.partner.v1'],
      handler: async (events) => void received.push(...events),
    });
    const options = { defaultDeadlineMs: 60_000, name: 'identity' };
    const partners = createRpcClient(PartnerServiceService, `127.0.0.1:${running.grpcPort}`, options);
    const { partner } = await partners.createPartner({ name: 'v1' }, byOperator);
    const partnerId = partner?.id ?? '';
    await Promise.all(
      [2, 3, 4, 5].map((n) => partners.updatePartner({ partnerId, name: `change ${n}` }, byOperator)),
    );
    await eventually(() => expect(received.length).toBeGreaterThanOrEqual(5));
    expect(received.map(({ aggregateId, aggregateSeq }) => [aggregateId, aggregateSeq])).toEqual(
      [1, 2, 3, 4, 5].map((n) => [partnerId, `${n}`]),
    );
    const [first, ...later] = received;
    expect(PartnerRegistered.decode(first?.payload ?? Buffer.of()).partner?.version).toBe(1);
    expect(later.map(({ payload }) => PartnerUpdated.decode(payload).partner?.version)).toEqual([2, 3, 4, 5]);
    partners.close();
    await subscription.stop();
    await bus.close();
  });

  it.each([
    ['TOKEN_ISSUER', undefined],
    ['CREDENTIAL_HASH_KEY', undefined],
    ['CREDENTIAL_HASH_KEY', 'too-short'],
    ['KEY_ENCRYPTION_KEY', undefined],
    ['KEY_ENCRYPTION_KEY', 'not a key of thirty-two bytes'],
    ['KEY_ROTATION_MS', '1000'],
    ['EVENT_BUS_URL', 'localhost'],
  ])(
    'when %s is %s, then it does not start and names the variable but never its value',
    async (name, value) => {
      const error: unknown = await runService(service, { ...environment(), [name]: value }).catch(
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as ConfigError).lines).toEqual([expect.stringContaining(`${name} is`)]);
      if (value !== undefined) expect((error as ConfigError).message).not.toContain(value);
    },
  );

  it('when the key that sealed the signing keys is lost, then it does not start and names the setting', async () => {
    running = await runService(service, environment());
    await running.stop();
    const other = { ...environment(), KEY_ENCRYPTION_KEY: 'ab'.repeat(32) };
    await expect(runService(service, other)).rejects.toThrow('KEY_ENCRYPTION_KEY');
  });
});
