import { endStalePostmaster, spawnPostgres, stopPostgres } from '@reseller/local-postgres';
import { keepServer } from '../processes/keep-server';
import { readInstances } from '../settings';
import { archiveOf, postgresSettings } from './postgres-settings';

/** Fast shutdown first, immediate halfway; both well within what the starter allows. */
export const SUPERVISOR_STOP_MS = 6_000;

/** The process between the starter and PostgreSQL. */
export async function supervisePostgres(directory: string, port: number): Promise<void> {
  await endStalePostmaster(directory);
  const settings = { ...postgresSettings(readInstances()), ...archiveOf(process.env) };
  const server = spawnPostgres({ directory, port, settings }, ['ignore', 'inherit', 'inherit']);
  const stop = (): void => void stopPostgres(server, SUPERVISOR_STOP_MS);
  await keepServer({ name: 'postgres', server, port, stop });
}
