import { createEdgeServer, cutOffBy, Observer, openApiPage, statusPages } from '@reseller/http-edge';
import { closeRpcClients } from '@reseller/rpc';
import { mayBePlaintext, type Container, type ContainerDeps } from '@reseller/service-kit';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ChangeWatch } from './changes/change-watch';
import { fingerprintsOf } from './changes/fingerprints';
import { createClients } from './clients';
import type { Config } from './config';
import { webConsole } from './console';
import { FailedAttempts } from './failed-attempts';
import { OperatorsApi } from './operators-api';
import { routes } from './routes';
import { authPages } from './sign-in/auth-pages';
import { IdentityProvider } from './sign-in/identity-provider';

/** How late a console learns of a change, in milliseconds; each look costs some twenty small calls, while a console is open. */
const LOOK_EVERY_MS = 2_500;

/** All the wiring of backoffice: the operators' API and the web console on one port. */
export async function createContainer(start: ContainerDeps<Config>): Promise<Container> {
  const { config, log, metrics, health, security } = start;
  const services = createClients(config, { log, metrics, security });
  const { REPLICA_STALENESS_MS: stalenessMs } = config;
  const fingerprints = fingerprintsOf(services);
  const changes = new ChangeWatch({ fingerprints, everyMs: LOOK_EVERY_MS, stalenessMs, log });
  const clients = { ...services, changes };
  const observer = new Observer(metrics, log, config.ACCESS_LOG);
  const origin = (): string =>
    config.BACKOFFICE_URL ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const operators = { clients, attempts: new FailedAttempts(), origin };
  const { pages, applications } = webConsole();
  const server = createEdgeServer({
    edge: new OperatorsApi({ ...operators, routes, stalenessMs, log }),
    pages: new Map([
      ...statusPages(health),
      ['/ops/v1/openapi.json', openApiPage(path.join(__dirname, 'generated/openapi.json'))],
      ...pages,
      ...authPages({ ...operators, provider: providerOf(config) }),
    ]),
    applications,
    observer,
    connections: config,
    trustedProxies: config.TRUST_PROXY,
    // Operators' tokens and sessions would be read on the way otherwise.
    tlsOnly: !mayBePlaintext(config, 'console'),
  });
  return {
    http: {
      server,
      host: config.BACKOFFICE_HOST,
      port: config.BACKOFFICE_PORT,
      portVariable: 'BACKOFFICE_PORT',
      cutOff: cutOffBy(observer, config),
    },
    onDrain: () => changes.close(),
    close: async () => closeRpcClients(services),
  };
}

function providerOf(config: Config): IdentityProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  if (!issuer || !clientId || !clientSecret) return undefined;
  return new IdentityProvider({ issuer, clientId, clientSecret, rolesClaim: config.OIDC_ROLES_CLAIM });
}
