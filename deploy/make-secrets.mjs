// Makes the secrets of one installation, once: `npm run secrets` writes deploy/.secrets/compose.env and the certificates
// below deploy/.secrets/tls for docker-compose.yml, and leaves what is there already; out of both come the files of the local
// Kubernetes overlay. All of them are readable by you alone and ignored by git. `npm run secrets -- --renew-certificates`
// gives every app a new certificate of the same authority.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileOwner, giveToOwner, makeCertificates, RPC_APPS } from './make-certificates.mjs';
import { APPS } from './src/apps.ts';
import { kafkaPasswordVariable } from './src/kafka-access.ts';

/** Services with a database of their own; an owner, a role to run as and their passwords each (deploy/postgres/init.sql). */
export const DATABASE_OWNERS = [
  'identity',
  'finance',
  'scent-commerce',
  'orders-saga',
  'notifier',
  'vendor-simulator',
];

/** `ORDERS_SAGA_DATABASE_PASSWORD` of `orders-saga`. */
export const passwordVariable = (service) =>
  `${service.toUpperCase().replaceAll('-', '_')}_DATABASE_PASSWORD`;

/** `ORDERS_SAGA_RUNTIME_PASSWORD` of `orders-saga`. */
export const runtimePasswordVariable = (service) =>
  `${service.toUpperCase().replaceAll('-', '_')}_RUNTIME_PASSWORD`;

/** Services that come to Kafka's brokers, each as the user of its name (deploy/kafka). */
export const KAFKA_USERS = APPS.filter(({ reaches }) => reaches.includes('kafka')).map(({ name }) => name);

const here = path.dirname(fileURLToPath(import.meta.url));
const words = (bytes) => randomBytes(bytes).toString('base64url');
const key = () => randomBytes(32).toString('base64');
const today = () => new Date().toISOString().slice(0, 10);

/** New values of everything that only this installation may know. */
export function makeSecrets() {
  const passwords = DATABASE_OWNERS.flatMap((service) => [
    [passwordVariable(service), words(24)],
    [runtimePasswordVariable(service), words(24)],
  ]);
  return {
    POSTGRES_PASSWORD: words(24),
    ...Object.fromEntries(passwords),
    CREDENTIAL_HASH_KEY: `${today()}:${key()}`,
    KEY_ENCRYPTION_KEY: `${today()}:${key()}`,
    WEBHOOK_SECRET_KEYS: `${today()}:${key()}`,
    ERASURE_HASH_KEY: `${today()}:${key()}`,
    VENDOR_API_KEY: words(32),
    VENDOR_CALLBACK_SECRET: words(32),
    ...Object.fromEntries(KAFKA_USERS.map((user) => [kafkaPasswordVariable(user), words(24)])),
    REDIS_PASSWORD: words(24),
    GRAFANA_PASSWORD: words(18),
  };
}

/** The broker's certificate and key, made by `makeCertificates` in a directory, as Kafka takes them: each in one line. */
export function brokerSettings(directory) {
  const line = (file) =>
    readFileSync(path.join(directory, 'kafka', file), 'utf8')
      .trim()
      .replaceAll('\n', ' ');
  return { KAFKA_BROKER_CERTIFICATE: line('tls.crt'), KAFKA_BROKER_KEY: line('tls.key') };
}

/** The users of Redis (deploy/redis/users.acl) with the gateway's password in its place, as a hash. */
export function redisUsers(password) {
  const hash = createHash('sha256').update(password).digest('hex');
  return readFileSync(path.join(here, 'redis/users.acl'), 'utf8').replace('PASSWORD_SHA256', hash);
}

const readEnv = (file) =>
  Object.fromEntries(
    (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** What Compose needs beside the secrets: as whom containers read the files of certificates. */
export function ownerSetting() {
  const { user, group } = fileOwner();
  return { SECRETS_OWNER: `${user}:${group}` };
}

/** Completes an env file with what it lacks; returns the names that were added. */
export function completeSecrets(file) {
  const known = readEnv(file);
  const all = { ...ownerSetting(), ...makeSecrets(), ...known };
  const added = Object.keys(all).filter((name) => !(name in known));
  if (added.length === 0) return added;
  writeEnv(file, all);
  return added;
}

function writeEnv(file, values) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  // Beside it first: written in place, a disk that is full leaves an empty file, and with it no key opens what is stored.
  const draft = `${file}.new`;
  writeFileSync(draft, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** The Secrets of the local Kubernetes overlay, by name: each has what its app reads, and no more. */
export function kubernetesSecrets(secrets) {
  const nameOf = (service) => service.replaceAll('-', '_');
  const urlOf = (service, role, password) =>
    `postgresql://${role}:${secrets[password]}@postgres:5432/${nameOf(service)}`;
  const pick = (...names) => Object.fromEntries(names.map((name) => [name, secrets[name]]));
  const vendor = {
    name: 'local-vendor',
    url: 'http://vendor-simulator:8100',
    apiKey: secrets.VENDOR_API_KEY,
    callbackSecret: secrets.VENDOR_CALLBACK_SECRET,
    products: ['*'],
    geoScopes: ['*'],
    priority: 1,
  };
  const own = {
    identity: pick('CREDENTIAL_HASH_KEY', 'KEY_ENCRYPTION_KEY'),
    'orders-saga': { VENDORS: JSON.stringify([vendor]), ...pick('ERASURE_HASH_KEY') },
    notifier: pick('WEBHOOK_SECRET_KEYS'),
    'vendor-simulator': pick('VENDOR_API_KEY', 'VENDOR_CALLBACK_SECRET'),
  };
  const login = (service) =>
    KAFKA_USERS.includes(service) && {
      KAFKA_SASL_USERNAME: service,
      KAFKA_SASL_PASSWORD: secrets[kafkaPasswordVariable(service)],
    };
  const databases = DATABASE_OWNERS.flatMap((service) => [
    [
      service,
      {
        DATABASE_URL: urlOf(service, `${nameOf(service)}_runtime`, runtimePasswordVariable(service)),
        ...own[service],
        ...login(service),
      },
    ],
    [
      `${service}-migrate`,
      {
        DATABASE_MIGRATION_URL: urlOf(service, nameOf(service), passwordVariable(service)),
        DATABASE_RUNTIME_ROLE: `${nameOf(service)}_runtime`,
      },
    ],
  ]);
  return {
    postgres: pick(
      'POSTGRES_PASSWORD',
      ...DATABASE_OWNERS.flatMap((service) => [passwordVariable(service), runtimePasswordVariable(service)]),
    ),
    kafka: {
      ...pick(...KAFKA_USERS.map(kafkaPasswordVariable)),
      KAFKA_LISTENER_NAME_SERVICES_SSL_KEYSTORE_CERTIFICATE_CHAIN: secrets.KAFKA_BROKER_CERTIFICATE,
      KAFKA_LISTENER_NAME_SERVICES_SSL_KEYSTORE_KEY: secrets.KAFKA_BROKER_KEY,
    },
    gateway: { REDIS_URL: `redis://gateway:${secrets.REDIS_PASSWORD}@redis:6379` },
    ...Object.fromEntries(databases),
  };
}

/** Makes what is missing, and prints what that was. */
async function makeAll({ renew }) {
  const file = path.join(here, '.secrets/compose.env');
  const added = completeSecrets(file);
  console.log(added.length > 0 ? `${file}: made ${added.join(', ')}` : `${file}: nothing to make`);
  const tls = path.join(here, '.secrets/tls');
  const certified = await makeCertificates(tls, { renew });
  for (const name of certified) giveToOwner(path.join(tls, name));
  const stores = path.join(here, '.secrets/stores');
  await makeCertificates(stores, { names: ['kafka'], renew });
  const secrets = { ...readEnv(file), ...brokerSettings(stores) };
  writeEnv(file, secrets);
  writeRedisUsers(path.join(here, '.secrets/redis'), secrets);
  giveToOwner(path.join(here, '.secrets/redis'));
  console.log(
    certified.length > 0 ? `${tls}: made certificates of ${certified.join(', ')}` : `${tls}: nothing to make`,
  );
  writeKubernetesFiles(path.join(here, 'kubernetes/overlays/local/.secrets'), secrets, tls);
}

function writeRedisUsers(folder, secrets) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'users.acl');
  writeFileSync(file, redisUsers(secrets.REDIS_PASSWORD), { mode: 0o600 });
  chmodSync(file, 0o600);
}

function writeKubernetesFiles(folder, secrets, tls) {
  writeRedisUsers(path.join(folder, 'redis'), secrets);
  cpSync(path.join(here, '.secrets/stores/kafka/ca.crt'), path.join(folder, 'kafka-ca/ca.crt'));
  for (const [name, values] of Object.entries(kubernetesSecrets(secrets)))
    writeEnv(path.join(folder, `${name}.env`), values);
  for (const name of RPC_APPS)
    cpSync(path.join(tls, name), path.join(folder, `${name}-rpc`), { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  void makeAll({ renew: process.argv.includes('--renew-certificates') });
