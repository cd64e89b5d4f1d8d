import type { ServiceOptions } from '@reseller/service-kit';
import { config } from './config';
import { createContainer } from './container';

/** The service, ready to be started. */
export const describeService = (): ServiceOptions<typeof config> => ({
  name: 'gateway',
  config,
  start: createContainer,
});
