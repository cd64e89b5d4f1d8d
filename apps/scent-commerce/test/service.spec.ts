import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError, runService, type RunningService } from '@reseller/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { service as healthDefinition } from 'grpc-health-check';
import path from 'node:path';
import { describeService } from '../src/service';

const service = describeService(path.join(__dirname, '../prisma/migrations'));

let database: TestDatabase;
let bus: TestDatabase;
let running: RunningService | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
  bus = await createTestDatabase();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await database.drop();
  await bus.drop();
});

const start = async (): Promise<string> => {
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: bus.url,
    FINANCE_ADDRESS: '127.0.0.1:1',
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'silent',
  };
  running = await runService(service, env);
  return `http://127.0.0.1:${running.httpPort}`;
};

/** The response of the standard gRPC health protocol. */
function checkHealth(port: number | undefined): Promise<unknown> {
  const Client = makeGenericClientConstructor(healthDefinition, 'health');
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  return new Promise((resolve, reject) => {
    const check = client['Check'] as (
      request: object,
      done: (error: unknown, response: unknown) => void,
    ) => void;
    check.call(client, { service: '' }, (error, response) => (error ? reject(error) : resolve(response)));
  }).finally(() => client.close());
}

describe('scent-commerce', () => {
  it('when it starts on an empty database, then it migrates, reports ready, and lets go of everything when stopped', async () => {
    const url = await start();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('service="scent-commerce"');
    expect(await checkHealth(running?.grpcPort)).toMatchObject({ status: 'SERVING' });
    const { rows } = await database.pool.query(
      "SELECT to_regclass('stocked_variants') IS NOT NULL AS migrated",
    );
    expect(rows).toEqual([{ migrated: true }]);

    await running?.stop();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    // The server notices a closed connection a moment later.
    await eventually(async () => {
      const left = await database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'scent-commerce' AND datname = current_database()",
      );
      expect(left.rowCount).toBe(0);
    });
  });

  it('when its database goes away, then it is alive but not ready', async () => {
    const url = await start();
    await database.drop();
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('when the database is not named, then it says so and does not start', async () => {
    await expect(runService(service, {})).rejects.toThrow(ConfigError);
    await expect(runService(service, {})).rejects.toThrow('DATABASE_URL is missing');
  });
});
