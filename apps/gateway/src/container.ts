import { AppError } from '@reseller/errors';
import { createEdgeServer, cutOffBy, Observer } from '@reseller/http-edge';
import { closeRpcClients } from '@reseller/rpc';
import type { Container, ContainerDeps } from '@reseller/service-kit';
import { Doors } from './admission/doors';
import { openApiFile, referenceFolder, siteFolder } from './built-folders';
import { SightingLog } from './certification/sighting-log';
import { createClients, type Clients } from './clients';
import type { Config } from './config';
import { CreateLog } from './creates/create-log';
import { createRateLimits } from './limiter/rate-limits';
import { Api } from './pipeline/api';
import { routes } from './routes';
import { Authenticator } from './security/authenticator';
import { KeySet } from './security/key-set';
import { TokenRefusals } from './security/refusals';
import { Revocations } from './security/revocations';
import { createPages } from './site/pages';

/** A fetch that is lost is given up early, so that the next one comes in time (spec §18.5). */
const FETCH = { deadlineMs: 1_500 };

/** What is not taken by then is sent again: a batch counts once. */
const RECORD = { deadlineMs: 1_000 };

/** All the wiring of the gateway. */
export async function createContainer(start: ContainerDeps<Config>): Promise<Container> {
  const { config, log, metrics, health, security } = start;
  const clients = createClients(config, { log, metrics, security });
  const keys = new KeySet({
    fetch: () => clients.tokens.getJwks({}, { requestId: 'gateway-jwks' }),
    maxAgeMs: config.JWKS_MAX_AGE_MS,
    log,
  });
  const revocations = new Revocations({
    fetch: (request) => clients.tokens.getRevocations(request, { requestId: 'gateway-revocations' }, FETCH),
    onKeysRevoked: () => void keys.refresh(),
    log,
    metrics,
  });
  const limits = await createRateLimits({
    tokenPermits: config.RATE_LIMIT_TOKEN,
    defaultPermits: config.RATE_LIMIT_DEFAULT,
    redisUrl: config.REDIS_URL,
    redisCaFile: config.REDIS_CA_FILE,
    log,
    metrics,
  });
  const creates = new CreateLog({
    send: (request) => clients.createResults.recordCreates(request, { requestId: 'gateway-creates' }, RECORD),
    log,
    metrics,
  });
  const sightings = new SightingLog({
    send: (request) => clients.sightings.recordSightings(request, { requestId: 'gateway-sightings' }, RECORD),
    log,
    metrics,
  });
  const refusals = new TokenRefusals(metrics);
  const authenticator = new Authenticator({ keys, revocations, issuer: config.TOKEN_ISSUER, refusals });
  const api = new Api({
    routes,
    authenticator,
    limits,
    doors: new Doors(
      {
        maxConcurrent: config.ADMISSION_MAX_CONCURRENT,
        maxWaiting: config.ADMISSION_MAX_WAITING,
        targetMs: config.ADMISSION_TARGET_MS,
      },
      metrics,
    ),
    clients: tryingTokensOut(clients, authenticator),
    creates,
    sightings,
    log,
    checksResponses: config.NODE_ENV === 'test',
  });
  const observer = new Observer(metrics, log, config.ACCESS_LOG);
  const server = createEdgeServer({
    edge: api,
    ...createPages(health, {
      openApi: openApiFile,
      reference: referenceFolder(),
      site: config.DOCS_SITE_DIR ?? siteFolder(),
    }),
    observer,
    connections: config,
    trustedProxies: config.TRUST_PROXY,
  });
  keys.start();
  revocations.start();
  creates.reports.start();
  sightings.reports.start();
  return {
    http: {
      server,
      host: config.GATEWAY_HOST,
      port: config.GATEWAY_PORT,
      portVariable: 'GATEWAY_PORT',
      cutOff: cutOffBy(observer, config),
    },
    onDrain: () => clients.feedWatch.close(),
    ready: readyChecks(keys, revocations, clients),
    close: async () => {
      keys.stop();
      revocations.stop();
      limits.close();
      await Promise.all([creates.reports.stop(), sightings.reports.stop()]);
      closeRpcClients(clients);
    },
  };
}

/** Looks at each token that identity issues, beside its way to the caller: one that is refused is a fault of ours, not the caller's. */
function tryingTokensOut(clients: Clients, authenticator: Authenticator): Clients {
  const issueToken: Clients['tokens']['issueToken'] = async (...request) => {
    const issued = await clients.tokens.issueToken(...request);
    void authenticator.tryOut(issued.accessToken);
    return issued;
  };
  return { ...clients, tokens: { ...clients.tokens, issueToken } };
}

/**
 * Ready needs the keys and the revocations, and each service to have been connected once. A service that goes away later leaves the gateway
 * ready: that one's routes respond with SERVICE_UNAVAILABLE, and the rest goes on.
 */
function readyChecks(
  keys: KeySet,
  revocations: Revocations,
  clients: Clients,
): Record<string, () => Promise<void>> {
  return {
    revocations: async () => {
      if (!revocations.isKnown) throw new AppError('SERVICE_UNAVAILABLE');
    },
    jwks: async () => {
      if (keys.version === 0) throw new AppError('SERVICE_UNAVAILABLE');
    },
    identity: onceConnected(clients.tokens),
    finance: onceConnected(clients.wallets),
    'orders-saga': onceConnected(clients.orders),
    'scent-commerce': onceConnected(clients.catalog),
    notifier: onceConnected(clients.webhooks),
  };
}

function onceConnected(client: { isReady(): boolean }): () => Promise<void> {
  let wasConnected = false;
  return async () => {
    wasConnected ||= client.isReady();
    if (!wasConnected) throw new AppError('SERVICE_UNAVAILABLE');
  };
}
