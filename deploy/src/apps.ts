import type { AppName } from './app-names.ts';
import { CERTIFICATE_SETTINGS } from './certificate-files.ts';

/** A port on which an app is reached, and by whom. */
export interface Port {
  name: string;
  number: number;
  /** The ingress controller, vendors through it, operators through it, or apps. */
  from: 'ingress' | 'apps';
}

/** All that a deployment has to know of an app. Its own config.ts says what each setting means. */
export interface App {
  name: AppName;
  about: string;
  /** The services it asks by gRPC; each is a setting `<NAME>_ADDRESS`. */
  calls: AppName[];
  /** Whether others ask it by gRPC; the edges and the simulator serve HTTP only. */
  servesRpc: boolean;
  /** Other ports than gRPC's and those of health and metrics. */
  ports: Port[];
  /** Settings of its own with the values to begin with. */
  settings: Record<string, string>;
  /** Keys of the Secret named like the app; those with a question mark may be left out. */
  secrets: string[];
  /** What it connects to besides the services. */
  reaches: ('postgres' | 'kafka' | 'redis' | 'internet')[];
  replicas: { least: number; most: number };
  /** Thousandths of a core that are requested; the scaler adds an instance above 70 % of it. */
  cpu: number;
  /** Mebibytes; V8 takes half of it for old objects. At least a third more than the benchmark ever measured. */
  memory: number;
}

const ops = { cpu: 100, memory: 320, replicas: { least: 1, most: 1 } };
const service = { servesRpc: true, ports: [], memory: 400, replicas: { least: 2, most: 6 } };

/** Of a service that may read from a replica. */
const REPLICATED_DATABASE = ['DATABASE_URL', 'DATABASE_DIRECT_URL?', 'DATABASE_REPLICA_URL?'];
/** For brokers that ask who comes; the mechanism is a setting of all (KAFKA_SASL_MECHANISM). */
const BROKER_LOGIN = ['KAFKA_SASL_USERNAME?', 'KAFKA_SASL_PASSWORD?'];

/** Of an object store, for an archive (ARCHIVE_URL) whose pods have no role of their own there. */
const STORE_KEYS = ['AWS_ACCESS_KEY_ID?', 'AWS_SECRET_ACCESS_KEY?'];

/** Every app, from the edges inwards. */
export const APPS: App[] = [
  {
    name: 'gateway',
    about: 'HTTP for partners',
    calls: ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'],
    servesRpc: false,
    ports: [{ name: 'http', number: 8080, from: 'ingress' }],
    // Whom the ingress controller names as the caller counts only where an overlay names its network (TRUST_PROXY, spec §11.2).
    settings: {},
    secrets: ['REDIS_URL'],
    reaches: ['redis'],
    replicas: { least: 2, most: 10 },
    cpu: 500,
    memory: 400,
  },
  {
    name: 'backoffice',
    about: "the operators' API and console; two would do no harm, one is enough",
    calls: ['identity', 'finance', 'orders-saga', 'scent-commerce', 'notifier'],
    servesRpc: false,
    ports: [{ name: 'http', number: 8090, from: 'ingress' }],
    settings: {},
    secrets: ['OIDC_CLIENT_SECRET?'],
    reaches: [],
    ...ops,
  },
  {
    ...service,
    name: 'identity',
    about: 'partners, credentials, tokens, audit',
    calls: [],
    settings: {},
    secrets: [...REPLICATED_DATABASE, 'CREDENTIAL_HASH_KEY', 'KEY_ENCRYPTION_KEY', ...BROKER_LOGIN],
    reaches: ['postgres', 'kafka'],
    cpu: 200,
  },
  {
    ...service,
    name: 'finance',
    about: 'wallets, ledger, statements',
    calls: ['identity'],
    settings: {},
    secrets: [...REPLICATED_DATABASE, 'SMTP_URL?', ...BROKER_LOGIN],
    // Statements by e-mail: the mail server's port may be any.
    reaches: ['postgres', 'kafka', 'internet'],
    cpu: 500,
  },
  {
    ...service,
    name: 'scent-commerce',
    about: 'the scent shop',
    calls: ['finance'],
    settings: {},
    secrets: ['DATABASE_URL', 'DATABASE_DIRECT_URL?', ...BROKER_LOGIN],
    reaches: ['postgres', 'kafka'],
    cpu: 300,
  },
  {
    ...service,
    name: 'orders-saga',
    about: 'orders, sagas, vendors',
    calls: ['finance', 'scent-commerce'],
    ports: [{ name: 'callbacks', number: 8110, from: 'ingress' }],
    settings: { VENDOR_CALLBACK_PORT: '8110' },
    secrets: [...REPLICATED_DATABASE, 'ERASURE_HASH_KEY', 'VENDORS?', ...STORE_KEYS, ...BROKER_LOGIN],
    reaches: ['postgres', 'kafka', 'internet'],
    cpu: 500,
  },
  {
    ...service,
    name: 'notifier',
    about: 'webhook subscriptions and deliveries',
    calls: [],
    settings: {},
    secrets: [...REPLICATED_DATABASE, 'WEBHOOK_SECRET_KEYS', ...STORE_KEYS, ...BROKER_LOGIN],
    reaches: ['postgres', 'kafka', 'internet'],
    cpu: 300,
  },
  {
    ...ops,
    name: 'vendor-simulator',
    about: 'stands in for a vendor, on trial installations only',
    calls: [],
    servesRpc: false,
    ports: [{ name: 'http', number: 8100, from: 'apps' }],
    settings: {},
    secrets: ['DATABASE_URL', 'DATABASE_DIRECT_URL?', 'VENDOR_API_KEY', 'VENDOR_CALLBACK_SECRET?'],
    reaches: ['postgres'],
  },
];

/** Settings that several apps read and that must be the same for all; the overlays give their own values. */
export const SHARED_SETTINGS: Record<string, string> = {
  LOG_LEVEL: 'info',
  TOKEN_ISSUER: 'https://api.example.com',
  EVENT_BUS_URL: 'kafka+ssl://kafka:9093',
  ...CERTIFICATE_SETTINGS,
  // Not ready for this long before anything is refused: endpoints and ingress controllers take a moment to notice.
  SHUTDOWN_DELAY_MS: '5000',
  SHUTDOWN_GRACE_MS: '15000',
};

/** `ORDERS_SAGA_ADDRESS` of `orders-saga`. */
export const addressVariable = (app: AppName): string => `${app.toUpperCase().replaceAll('-', '_')}_ADDRESS`;

/** The parts of a Secret's key: its name, and whether the app does without it. */
export const secretKey = (key: string): { name: string; optional: boolean } => ({
  name: key.replace('?', ''),
  optional: key.endsWith('?'),
});
