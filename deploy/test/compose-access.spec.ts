import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { baseConfig, eventBusConfig, loadConfig } from '@reseller/service-kit';
import { eventBusOptions } from '@reseller/messaging';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { makeCertificates } from '../make-certificates.mjs';
import { brokerSettings, KAFKA_USERS, redisUsers } from '../make-secrets.mjs';
import { APPS } from '../src/apps';
import { BROKER_CA_MOUNT } from '../src/certificate-files';
import { speaksRpc } from '../src/certificates';
import { kafkaPasswordVariable } from '../src/kafka-access';
import { secrets, service } from './compose';
import { imageEnvironment } from './dockerfile';
import { securedBy } from './settings';

describe('the certificates of `npm run secrets`', () => {
  const speakers = APPS.filter(speaksRpc).map(({ name }) => name);
  let directory: string;
  const read = (name: string, file: string): string => readFileSync(path.join(directory, name, file), 'utf8');
  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'certificates-'));
    expect(await makeCertificates(directory)).toEqual(speakers);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(speakers)(
    'when %s starts on them in production, then its RPC is under mutual TLS, and it may read what nobody else may',
    async (app) => {
      const { environment = {}, volumes = [], user } = service(app);
      expect(volumes).toContain(`./deploy/.secrets/tls/${app}:/var/run/rpc-tls:ro`);
      const env = { ...imageEnvironment(), ...environment };
      expect(securedBy(app, env, path.join(directory, app))).toBe(true);
      expect(statSync(path.join(directory, app, 'tls.key')).mode & 0o777).toBe(0o600);
      expect(user).toMatch(/^[1-9]\d*:\d+$/);
    },
  );

  it('when they are made again, then nothing changes, and renewed only by new ones of the same authority', async () => {
    const before = speakers.map((name) => read(name, 'tls.crt'));
    expect(await makeCertificates(directory)).toEqual([]);
    expect(speakers.map((name) => read(name, 'tls.crt'))).toEqual(before);
    const authority = read('finance', 'ca.crt');
    expect(await makeCertificates(directory, { renew: true })).toEqual(speakers);
    for (const [at, name] of speakers.entries()) {
      expect([read(name, 'ca.crt'), read(name, 'tls.crt') === before[at]]).toEqual([authority, false]);
      const { environment = {} } = service(name);
      const env = { ...imageEnvironment(), ...environment };
      expect(securedBy(name, env, path.join(directory, name))).toBe(true);
    }
  });
});

it('when apps go without TLS in Compose, then only to the simulator, and from the machine whose port it is', () => {
  const allowed = APPS.map(({ name }) => [name, service(name).environment?.['PLAINTEXT_ALLOWED']]);
  expect(Object.fromEntries(allowed.filter(([, uses]) => uses) as [string, string][])).toEqual({
    backoffice: 'console',
    'orders-saga': 'vendors',
  });
});

describe('the stores of docker-compose.yml', () => {
  it('when Redis runs, then the gateway comes as a user of its own, nobody without a name, and the file holds no password', () => {
    const { username, password } = new URL(service('gateway').environment?.['REDIS_URL'] ?? '');
    expect([username, password]).toEqual(['gateway', secrets['REDIS_PASSWORD']]);
    expect(service('redis').command?.join(' ')).toContain('--aclfile /etc/redis/users.acl');
    expect(service('redis').volumes).toEqual(['./deploy/.secrets/redis:/etc/redis:ro']);
    const users: string = redisUsers(password);
    const hash = createHash('sha256').update(password).digest('hex');
    expect(users).toMatch(/^user default off\nuser gateway on #/);
    expect(users).toContain(`#${hash} `);
    expect(users).not.toContain(password);
  });

  it('when a service comes to Kafka in production, then by TLS, to brokers of our own authority, as the user of its name', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'stores-'));
    await makeCertificates(directory, { names: ['kafka'] });
    const passwords = new Set<string>();
    for (const user of KAFKA_USERS) {
      const { environment = {}, volumes = [], depends_on } = service(user);
      expect(volumes).toContain(`./deploy/.secrets/stores/kafka/ca.crt:${BROKER_CA_MOUNT}/ca.crt:ro`);
      expect(depends_on?.['kafka-access']).toEqual({ condition: 'service_completed_successfully' });
      const ca = path.join(directory, 'kafka/ca.crt');
      expect(environment['KAFKA_CA_FILE']).toBe(`${BROKER_CA_MOUNT}/ca.crt`);
      const env = { ...imageEnvironment(), ...environment, KAFKA_CA_FILE: ca };
      const { url, kafka } = eventBusOptions(loadConfig(z.object({ ...baseConfig, ...eventBusConfig }), env));
      expect([url, kafka?.tls?.ca]).toEqual(['kafka+ssl://kafka:9092', [readFileSync(ca, 'utf8')]]);
      const password = secrets[kafkaPasswordVariable(user)] ?? '';
      expect(kafka?.sasl).toEqual({ mechanism: 'scram-sha-512', username: user, password });
      expect(service('kafka-access').environment?.[kafkaPasswordVariable(user)]).toBe(password);
      passwords.add(password);
    }
    expect(passwords.size).toBe(KAFKA_USERS.length);
    const { KAFKA_BROKER_CERTIFICATE: certificate, KAFKA_BROKER_KEY: key } = brokerSettings(directory);
    expect(new X509Certificate(readFileSync(path.join(directory, 'kafka/tls.crt'))).checkHost('kafka')).toBe(
      'kafka',
    );
    expect([certificate, key].filter((line) => /\n|\$|#|'/.test(line))).toEqual([]);
    rmSync(directory, { recursive: true });
  });

  it('when Kafka runs, then everybody but its own container needs TLS, a password and a right', () => {
    const { environment = {} } = service('kafka');
    const listeners = (environment['KAFKA_LISTENERS'] ?? '').split(',');
    const outside = listeners.filter((url) => !url.includes('://127.0.0.1:'));
    expect(outside).toEqual(['SERVICES://:9092']);
    expect(environment['KAFKA_LISTENER_SECURITY_PROTOCOL_MAP']).toContain('SERVICES:SASL_SSL,');
    expect(environment['KAFKA_AUTHORIZER_CLASS_NAME']).toMatch(/StandardAuthorizer$/);
    expect(environment['KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND']).toBeUndefined();
    expect(service('kafka-access').image).toBe(service('kafka').image);
  });
});
