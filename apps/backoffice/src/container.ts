import { createEdgeServer, cutOffBy, Observer, statusPages } from '@reseller/http-edge';
import { closeRpcClients } from '@reseller/rpc';
import type { ServiceParts, StartInput } from '@reseller/service-kit';
import { createClients } from './clients';
import type { BackofficeConfig } from './config';
import { consoleDoors, consoleFiles } from './console';
import { authenticator } from './operators';
import { OperatorsApi } from './operators-api';
import { opsRoutes } from './routes';

/** Wires backoffice: the operators' API and the web console on one port, the neighbours behind. */
export async function createParts(input: StartInput<BackofficeConfig>): Promise<ServiceParts> {
  const { config, log, metrics, health, security } = input;
  const clients = createClients(
    {
      identity: config.IDENTITY_ADDRESS,
      finance: config.FINANCE_ADDRESS,
      'orders-saga': config.ORDERS_SAGA_ADDRESS,
      'scent-commerce': config.SCENT_COMMERCE_ADDRESS,
      notifier: config.NOTIFIER_ADDRESS,
    },
    { log, metrics, security },
  );
  const observer = new Observer(metrics, log, config.ACCESS_LOG);
  const server = createEdgeServer({
    edge: new OperatorsApi(opsRoutes({ clients, log }), authenticator(config.OPERATOR_TOKENS)),
    pages: new Map([...statusPages(health), ...consoleDoors]),
    files: consoleFiles(),
    observer,
  });
  return {
    http: {
      server,
      host: config.BACKOFFICE_HOST,
      port: config.BACKOFFICE_PORT,
      portVariable: 'BACKOFFICE_PORT',
      cutOff: cutOffBy(observer),
    },
    close: async () => closeRpcClients(clients),
  };
}
