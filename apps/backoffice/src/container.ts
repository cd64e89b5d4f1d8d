import { createEdgeServer, cutOffBy, Observer, statusPages } from '@reseller/http-edge';
import { closeRpcClients } from '@reseller/rpc';
import type { Container, ContainerDeps } from '@reseller/service-kit';
import { createClients } from './clients';
import type { Config } from './config';
import { consoleDoors, consoleFiles } from './console';
import { FailedAttempts } from './failed-attempts';
import { OperatorsApi } from './operators-api';
import { routes } from './routes';

/** All the wiring of backoffice: the operators' API and the web console on one port. */
export async function createContainer(start: ContainerDeps<Config>): Promise<Container> {
  const { config, log, metrics, health, security } = start;
  const clients = createClients(config, { log, metrics, security });
  const observer = new Observer(metrics, log, config.ACCESS_LOG);
  const server = createEdgeServer({
    edge: new OperatorsApi({ routes, attempts: new FailedAttempts(), clients, log }),
    pages: new Map([...statusPages(health), ...consoleDoors]),
    files: consoleFiles(),
    observer,
    connections: config,
    trustedProxies: config.TRUST_PROXY,
  });
  return {
    http: {
      server,
      host: config.BACKOFFICE_HOST,
      port: config.BACKOFFICE_PORT,
      portVariable: 'BACKOFFICE_PORT',
      cutOff: cutOffBy(observer, config),
    },
    close: async () => closeRpcClients(clients),
  };
}
