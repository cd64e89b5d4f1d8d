import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { service as healthDefinition } from 'grpc-health-check';
import { createTestDatabase, type TestDatabase } from './create-test-database';
import { eventually } from './eventually';

/** A service that runs in this process: its ports, and what ends it. */
interface Running {
  readonly httpPort: number;
  readonly grpcPort: number | undefined;
  stop(): Promise<void>;
}

/** A service whose life is looked at. */
export interface LivingService {
  readonly name: string;
  /** One of its tables. */
  readonly table: string;
  /** Its jobs in the background, those apart that only a setting brings about. */
  readonly jobs: readonly string[];
  /** What it cannot do without beside its database and the event bus. */
  readonly settings?: Readonly<Record<string, string>>;
  start(settings: Readonly<Record<string, string>>): Promise<Running>;
}

/** Declares what each service is held to from its start on an empty database to its stop. */
export function describeServiceLife({ name, table, jobs, settings, start }: LivingService): void {
  describe(`the life of ${name}`, () => {
    let database: TestDatabase;
    let running: Running | undefined;
    beforeEach(async () => {
      database = await createTestDatabase();
    });
    afterEach(async () => {
      await running?.stop();
      running = undefined;
      await database.drop();
    });
    const run = async (): Promise<void> => {
      running = await start({
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        MIGRATE_ON_START: 'true',
        DATABASE_URL: database.serviceUrl,
        EVENT_BUS_URL: database.url,
        ...settings,
      });
    };
    const read = (page: string): Promise<Response> => fetch(`http://127.0.0.1:${running?.httpPort}${page}`);

    it('when it starts on an empty database, then it migrates and reports ready, and when stopped it lets go of everything', async () => {
      await run();
      expect((await read('/healthz')).status).toBe(200);
      // A busy machine may keep what it depends on waiting for longer than one look takes.
      await eventually(async () => expect((await read('/readyz')).status).toBe(200));
      expect(await (await read('/metrics')).text()).toContain(`service="${name}"`);
      expect(await health(running?.grpcPort)).toMatchObject({ status: 'SERVING' });
      const { rows } = await database.pool.query('SELECT to_regclass($1) IS NOT NULL AS migrated', [table]);
      expect(rows).toEqual([{ migrated: true }]);
      // By the role and the grants that it has; those that tidy begin some seconds later.
      const ran = async () => succeeded(await (await read('/metrics')).text());
      await eventually(async () => expect(await ran()).toEqual([...jobs].sort()));

      await running?.stop();
      await expect(read('/healthz')).rejects.toThrow();
      // The tests' own go by the database's name. The server ends a session a moment after its client has closed it.
      await eventually(async () => {
        const left = await database.pool.query(
          "SELECT application_name FROM pg_stat_activity WHERE application_name NOT IN ('', current_database()) AND datname = current_database()",
        );
        expect(left.rows).toEqual([]);
      });
    });

    it('when its database goes away, then it is alive but not ready', async () => {
      await run();
      await database.drop();
      expect((await read('/readyz')).status).toBe(503);
      expect((await read('/healthz')).status).toBe(200);
    });

    it('when its settings name no database, then it says so and does not start', async () => {
      await expect(start({ ...settings })).rejects.toThrow('DATABASE_URL is missing');
    });
  });
}

/** The jobs that have run and never failed, by what a service's metrics say. */
function succeeded(metrics: string): string[] {
  const counts = metrics.matchAll(/^job_runs_total\{job_name="([^"]+)",outcome="(ok|failed)".*\} (\d+)$/gm);
  const named = (outcome: string, all: readonly string[][]) =>
    all.filter(([, , of, count]) => of === outcome && count !== '0').map(([, name = '']) => name);
  const all = [...counts];
  const failed = named('failed', all);
  return named('ok', all)
    .filter((name) => !failed.includes(name))
    .sort();
}

/** The response of the standard gRPC health protocol. */
function health(port: number | undefined): Promise<unknown> {
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
