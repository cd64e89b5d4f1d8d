import type { DatabaseOwner } from './postgres/databases';
import type { Secrets } from './secrets';

/** The apps that run beside PostgreSQL, each as its own process. */
export const serviceNames = [
  'identity',
  'finance',
  'orders-saga',
  'scent-commerce',
  'notifier',
  'vendor-simulator',
  'backoffice',
  'gateway',
] as const;

/** One of the apps. */
export type ServiceName = (typeof serviceNames)[number];

/** The order of a clean stop: the edges first, then who uses whom, so that work under way can still end. */
export const stopOrder: readonly (readonly ServiceName[])[] = [
  ['gateway', 'backoffice'],
  ['orders-saga', 'scent-commerce', 'notifier'],
  ['identity', 'finance', 'vendor-simulator'],
];

/** What the wiring of one installation consists of. */
export interface Wiring {
  grpcPorts: Record<ServiceName, number>;
  httpPorts: Record<ServiceName, number>;
  gatewayPort: number;
  backofficePort: number;
  vendorPort: number;
  databaseUrls: Record<DatabaseOwner, string>;
  secrets: Secrets;
  operatorTokens: string;
}

type Environment = Record<string, string | undefined>;

const address = (port: number): string => `127.0.0.1:${port}`;

/** The vendor of live orders: the simulator, spoken to over HTTP the way a real one would be (decisions §13.5). */
const liveVendor = (port: number, apiKey: string, callbackSecret?: string) => ({
  name: 'local-vendor',
  url: `http://${address(port)}`,
  apiKey,
  products: ['Topup', 'Esim'],
  geoScopes: ['*'],
  priority: 1,
  ...(callbackSecret && { callbackSecret }),
});

/** Settings of a service that a person may override by the same variable (decisions §13.2). */
function defaults({ secrets, operatorTokens, vendorPort }: Wiring): Environment {
  const vendorApiKey = process.env['VENDOR_API_KEY'] || secrets.vendorApiKey;
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    SHUTDOWN_GRACE_MS: '3000',
    TOKEN_ISSUER: 'partner-reseller-identity',
    CREDENTIAL_HASH_KEY: secrets.credentialHashKey,
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    PLATFORM_TAX_REGISTRATION_NUMBER: '310123456700003',
    WEBHOOK_SECRET_KEYS: `local:${secrets.webhookSecretKey}`,
    VENDOR_API_KEY: vendorApiKey,
    VENDORS: JSON.stringify([liveVendor(vendorPort, vendorApiKey, process.env['VENDOR_CALLBACK_SECRET'])]),
    OPERATOR_TOKENS: operatorTokens,
  };
}

/** What holds this installation's processes together; no variable from outside may bend it. */
function wires(name: ServiceName, wiring: Wiring): Environment {
  const { grpcPorts, databaseUrls } = wiring;
  return {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(grpcPorts[name]),
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(wiring.httpPorts[name]),
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_PORT: String(wiring.gatewayPort),
    BACKOFFICE_HOST: '127.0.0.1',
    BACKOFFICE_PORT: String(wiring.backofficePort),
    VENDOR_HOST: '127.0.0.1',
    VENDOR_PORT: String(wiring.vendorPort),
    DATABASE_URL: name in databaseUrls ? databaseUrls[name as DatabaseOwner] : undefined,
    EVENT_BUS_URL: databaseUrls['event-bus'],
    IDENTITY_ADDRESS: address(grpcPorts.identity),
    FINANCE_ADDRESS: address(grpcPorts.finance),
    ORDERS_SAGA_ADDRESS: address(grpcPorts['orders-saga']),
    SCENT_COMMERCE_ADDRESS: address(grpcPorts['scent-commerce']),
    NOTIFIER_ADDRESS: address(grpcPorts.notifier),
    MIGRATE_ON_START: 'true',
    PARENT_PID: String(process.pid),
  };
}

/** The environment a service is started with: wires over what the person set over the defaults. */
export function serviceEnvironment(name: ServiceName, wiring: Wiring): Environment {
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  return { ...defaults(wiring), ...given, ...wires(name, wiring) };
}
