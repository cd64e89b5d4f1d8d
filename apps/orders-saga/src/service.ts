import { serviceMigrations } from '@reseller/database';
import type { ServiceOptions } from '@reseller/service-kit';
import { config } from './config';
import { createContainer } from './container';

/** The service with its migrations in the given directory, ready to be started. */
export function describeService(migrations: string): ServiceOptions<typeof config> {
  return {
    name: 'orders-saga',
    config,
    ...serviceMigrations(migrations),
    start: createContainer,
  };
}
