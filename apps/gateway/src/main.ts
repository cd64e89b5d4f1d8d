import { startService } from '@reseller/service-kit';
import { gatewayConfig } from './config';
import { createGateway } from './container';

void startService({
  name: 'gateway',
  config: gatewayConfig,
  start: async (input) => createGateway(input),
});
