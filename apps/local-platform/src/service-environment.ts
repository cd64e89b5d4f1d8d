import { detourDatabase, type Detours } from './detours';
import type { Instance, Instances } from './instances';
import { through, type Pooler } from './pooler/pooler';
import type { DatabaseOwner, DatabaseUrls } from './postgres/databases';
import { tlsEnvironment } from './rpc-certificates';
import type { Secrets } from './secrets';

/** What the wiring of one installation consists of. */
export interface Wiring {
  instances: Instances;
  databaseUrls: Record<DatabaseOwner, DatabaseUrls>;
  /** What services reach their databases through; undefined without. */
  pooler?: Pooler | undefined;
  /** Where their replica is, by any role's address; undefined without. */
  replicaServer?: string | undefined;
  secrets: Secrets;
  detours: Detours;
  /** The identity provider of operators; undefined where there is none. */
  oidcIssuer: string | undefined;
  /** Where the certificates for RPC are; undefined for plain text. */
  tlsDirectory?: string | undefined;
}

/** Whether the services are to run as in production, without anything that only a trial may have (spec §18.1). */
export const isProduction = (): boolean => process.env['NODE_ENV'] === 'production';

/** As which client the backoffice is known to the identity provider of this machine. */
export const OIDC_CLIENT_ID = 'backoffice';

/** Of services. */
const DEFAULT_STALENESS_MS = '2000';

type Environment = Record<string, string | undefined>;

const address = (port: number): string => `127.0.0.1:${port}`;

/** All of a service's instances; callers take them in turn. */
const addresses = (instances: readonly Instance[], { via }: Detours): string =>
  instances
    .map(({ service, number, grpcPort }) => address((number === 1 ? via[service] : undefined) ?? grpcPort))
    .join(',');

/** Where people and programs outside reach the first instance of an edge, or the vendor. */
export const appUrl = ({ appPort }: Instance): string => `http://${address(appPort ?? 0)}`;

/** The vendor of live orders: the simulator, spoken to over HTTP the way a real one would be (spec §13.5). */
const liveVendor = (url: string, apiKey: string, callbackSecret?: string) => ({
  name: 'local-vendor',
  url,
  apiKey,
  products: ['*'],
  geoScopes: ['*'],
  priority: 1,
  ...(callbackSecret && { callbackSecret }),
});

/** Settings of a service that a person may override by the same variable (spec §13.2). */
function defaults({ secrets, instances, detours, oidcIssuer, replicaServer }: Wiring): Environment {
  const vendorApiKey = process.env['VENDOR_API_KEY'] || secrets.vendorApiKey;
  const [vendor] = instances['vendor-simulator'];
  const vendorPort = detours.via['vendor-simulator'];
  const vendorUrl = vendor ? appUrl({ ...vendor, ...(vendorPort && { appPort: vendorPort }) }) : '';
  return {
    NODE_ENV: 'development',
    // The vendor is a process of this machine.
    ...(isProduction() && { PLAINTEXT_ALLOWED: 'vendors' }),
    LOG_LEVEL: 'info',
    SHUTDOWN_GRACE_MS: '3000',
    TOKEN_ISSUER: 'partner-reseller-identity',
    CREDENTIAL_HASH_KEY: secrets.credentialHashKey,
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    PLATFORM_TAX_REGISTRATION_NUMBER: '310123456700003',
    ERASURE_HASH_KEY: `local:${secrets.erasureHashKey}`,
    WEBHOOK_SECRET_KEYS: `local:${secrets.webhookSecretKey}`,
    VENDOR_API_KEY: vendorApiKey,
    VENDORS: JSON.stringify([liveVendor(vendorUrl, vendorApiKey, process.env['VENDOR_CALLBACK_SECRET'])]),
    ...(!isProduction() && { LOCAL_OPERATOR_TOKEN: secrets.operatorToken }),
    ...(replicaServer && {
      REPLICA_STALENESS_MS: process.env['DATABASE_REPLICA_STALENESS_MS'] || DEFAULT_STALENESS_MS,
    }),
    OIDC_ISSUER: oidcIssuer,
    OIDC_CLIENT_ID,
    OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
  };
}

/** What holds this installation's processes together; no variable from outside may bend it. */
function wires(instance: Instance, wiring: Wiring): Environment {
  const { instances, tlsDirectory, detours } = wiring;
  const { service, grpcPort, httpPort, appPort = 0 } = instance;
  return {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(grpcPort),
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(httpPort),
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_PORT: String(appPort),
    BACKOFFICE_HOST: '127.0.0.1',
    BACKOFFICE_PORT: String(appPort),
    VENDOR_HOST: '127.0.0.1',
    VENDOR_PORT: String(appPort),
    ...databaseEnvironment(instance, wiring),
    IDENTITY_ADDRESS: addresses(instances.identity, detours),
    FINANCE_ADDRESS: addresses(instances.finance, detours),
    ORDERS_SAGA_ADDRESS: addresses(instances['orders-saga'], detours),
    SCENT_COMMERCE_ADDRESS: addresses(instances['scent-commerce'], detours),
    NOTIFIER_ADDRESS: addresses(instances.notifier, detours),
    ...tlsEnvironment(tlsDirectory, service),
    MIGRATE_ON_START: 'true',
    PARENT_PID: String(process.pid),
  };
}

/** Each instance migrates at its start, as the owner, and works with what that granted it. */
function databaseEnvironment(
  { service }: Instance,
  { databaseUrls, detours, pooler, replicaServer }: Wiring,
): Environment {
  if (!(service in databaseUrls)) return { DATABASE_URL: undefined, DATABASE_MIGRATION_URL: undefined };
  const { runtime, owner } = databaseUrls[service as DatabaseOwner];
  const direct = detourDatabase(runtime, service, detours);
  return {
    DATABASE_URL: pooler ? through(pooler, runtime) : direct,
    ...(pooler && { DATABASE_POOLER: pooler.mode, DATABASE_DIRECT_URL: direct }),
    DATABASE_REPLICA_URL: replicaServer && at(replicaServer, runtime),
    DATABASE_MIGRATION_URL: detourDatabase(owner, service, detours),
  };
}

/** The same database of another server. */
const at = (server: string, url: string): string =>
  Object.assign(new URL(url), { host: new URL(server).host }).href;

/** The bus in PostgreSQL, for those who are given no other one. */
function busEnvironment({ databaseUrls, detours, pooler }: Wiring): Environment {
  const { runtime } = databaseUrls['event-bus'];
  const direct = detourDatabase(runtime, 'event-bus', detours);
  return {
    EVENT_BUS_URL: pooler ? through(pooler, runtime) : direct,
    ...(pooler && { EVENT_BUS_DIRECT_URL: direct }),
  };
}

/** Two listeners cannot have one port: each instance of orders-saga hears a vendor's callbacks on one of its own. */
function ownCallbackPort({ number }: Instance, given: Environment): Environment {
  const first = Number(given['VENDOR_CALLBACK_PORT'] ?? 0);
  return first > 0 && number > 1 ? { VENDOR_CALLBACK_PORT: String(first + number - 1) } : {};
}

/** The environment an instance is started with: wires over what the person set over the defaults. */
export function serviceEnvironment(instance: Instance, wiring: Wiring): Environment {
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  return {
    ...defaults(wiring),
    ...busEnvironment(wiring),
    ...given,
    ...ownCallbackPort(instance, given),
    ...wires(instance, wiring),
  };
}

/** How long a service may take to end after SIGTERM: what it is set to, and some seconds to close. */
export function stopLimitMs(env: Environment): number {
  return Number(env['SHUTDOWN_DELAY_MS'] ?? 0) + Number(env['SHUTDOWN_GRACE_MS'] ?? 0) + CLOSING_MS;
}

const CLOSING_MS = 5_000;
