import type { ServiceOptions } from '@reseller/service-kit';
import { config } from './config';
import { createContainer } from './container';

/** The service, ready to be started. */
export const describeService = (): ServiceOptions<typeof config> => ({
  name: 'backoffice',
  config,
  start: createContainer,
});
