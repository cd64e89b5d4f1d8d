import { answerBrokenRequests, createEdge } from '@reseller/http-edge';
import type { ServiceParts, StartInput } from '@reseller/service-kit';
import type { RequestHandler } from 'express';
import { createServer } from 'node:http';
import { closeClients, createClients } from './clients';
import type { BackofficeConfig } from './config';
import { serveConsole } from './console';
import { authenticator } from './operators';
import { opsRoutes } from './routes';

/** Wires backoffice: the operators' API and the web console on one port, the neighbours behind. */
export function createParts({ config, log, health }: StartInput<BackofficeConfig>): Promise<ServiceParts> {
  const clients = createClients({
    identity: config.IDENTITY_ADDRESS,
    finance: config.FINANCE_ADDRESS,
    ordersSaga: config.ORDERS_SAGA_ADDRESS,
  });
  const serveHealth: RequestHandler = (request, response, next) => {
    if (!health.handle(request, response)) next();
  };
  const app = createEdge({
    routes: opsRoutes({ clients, log }),
    authenticate: authenticator(config.OPERATOR_TOKENS),
    log,
    before: [serveHealth, serveConsole()],
  });
  const server = createServer(app);
  answerBrokenRequests(server);
  return Promise.resolve({
    http: {
      server,
      host: config.BACKOFFICE_HOST,
      port: config.BACKOFFICE_PORT,
      portVariable: 'BACKOFFICE_PORT',
    },
    close: () => Promise.resolve(closeClients(clients)),
  });
}
