import { createTestDatabase, type TestDatabase } from './create-test-database';

type Settings = Readonly<Record<string, string | undefined>>;

/** A service in this process, on databases of its own. */
export interface TestService {
  /** host:port of its RPCs. */
  readonly address: string;
  readonly database: TestDatabase;
  /** The database that is its event bus. */
  readonly bus: TestDatabase;
  /** Ends it and removes both databases. */
  stop(): Promise<void>;
}

/** How a service is started on test databases. */
interface TestServiceOptions {
  /** The migrations that its database starts from. */
  readonly migrations: string;
  /** What it needs beside its database and the event bus. */
  readonly settings?: Settings;
  start(settings: Settings): Promise<{ readonly grpcPort: number | undefined; stop(): Promise<void> }>;
}

/** Starts a service as it is deployed, but for the process, on a migrated database and an event bus. */
export async function startTestService({
  migrations,
  settings,
  start,
}: TestServiceOptions): Promise<TestService> {
  const database = await createTestDatabase({ migrations });
  const bus = await createTestDatabase();
  const running = await start({
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: bus.url,
    ...settings,
  });
  const stop = async (): Promise<void> => {
    await running.stop();
    await database.drop();
    await bus.drop();
  };
  return { address: `127.0.0.1:${running.grpcPort}`, database, bus, stop };
}
