export { createTestDatabase } from './create-test-database';
export type { TestDatabase } from './create-test-database';
export { eventually } from './eventually';
export { FakeClock } from './fake-clock';
export type { Clock } from './fake-clock';
export { freePort } from './free-port';
export { silentLog } from './silent-log';
export { startPostgres } from './start-postgres';
export type { TestPostgres } from './start-postgres';
