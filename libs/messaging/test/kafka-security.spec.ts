import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, eventually, startKafka, type TestKafka } from '@reseller/testing';
import { createEventBus } from '../src/create-event-bus';
import type { EventBusOptions } from '../src/create-event-bus';
import { eventBusOptions, type KafkaConfig } from '../src/kafka/kafka-settings';
import { anEvent } from './event-bus.contract';
import { keepingLog, skipped } from './kafka-support';

const USER = 'orders';
const PASSWORD = 'not-to-be-logged';
const jaas = (module: string, users = ''): string =>
  `org.apache.kafka.common.security.${module} required${users};`;
const onOneLine = (file: string): string => readFileSync(file, 'utf8').trim().replaceAll(/\r?\n/g, '\\n');

(skipped ? describe.skip : describe)(`Kafka with TLS and SASL${skipped}`, () => {
  let kafka: TestKafka;
  let directory: string;
  let ca: string;
  beforeAll(async () => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'kafka-tls-'));
    const authority = await CertificateAuthority.create();
    const files = await authority.write(directory, { names: ['localhost'] });
    ca = files.caFile;
    const listener = 'listener.name.secure';
    kafka = await startKafka({
      listeners: { SECURE: 'SASL_SSL' },
      users: { [USER]: PASSWORD },
      settings: {
        [`${listener}.ssl.keystore.type`]: 'PEM',
        [`${listener}.ssl.keystore.certificate.chain`]: onOneLine(files.certFile),
        [`${listener}.ssl.keystore.key`]: onOneLine(files.keyFile),
        [`${listener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        [`${listener}.plain.sasl.jaas.config`]: jaas('plain.PlainLoginModule', ` user_${USER}="${PASSWORD}"`),
        [`${listener}.scram-sha-256.sasl.jaas.config`]: jaas('scram.ScramLoginModule'),
        [`${listener}.scram-sha-512.sasl.jaas.config`]: jaas('scram.ScramLoginModule'),
      },
    });
  }, 90_000);
  afterAll(async () => {
    await kafka.remove();
    rmSync(directory, { recursive: true });
  });

  const config = (settings: Partial<KafkaConfig>): KafkaConfig => ({
    EVENT_BUS_URL: `kafka+ssl://${kafka.addresses['SECURE']}`,
    KAFKA_TOPIC_PARTITIONS: 1,
    KAFKA_REPLICATION_FACTOR: 1,
    KAFKA_TOPIC_PREFIX: '',
    KAFKA_CA_FILE: ca,
    KAFKA_SASL_USERNAME: USER,
    KAFKA_SASL_PASSWORD: PASSWORD,
    ...settings,
  });

  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const)(
    'when the service comes by TLS and %s, then events travel',
    async (KAFKA_SASL_MECHANISM) => {
      const log = keepingLog() as EventBusOptions['log'];
      const bus = createEventBus({
        ...eventBusOptions(config({ KAFKA_SASL_MECHANISM })),
        clientId: 'test',
        log,
      });
      const event = anEvent('a', 1);
      const got: string[] = [];
      const handler = async (events: { eventId: string }[]): Promise<void> =>
        void got.push(...events.map(({ eventId }) => eventId));
      bus.subscribe({ group: KAFKA_SASL_MECHANISM, topics: [event.topic], handler });
      await bus.publish([event]);
      await eventually(() => expect(got).toContain(event.eventId), { timeoutMs: 20_000 });
      await bus.close();
    },
    40_000,
  );

  it('when the password is wrong, then publishing rejects, and no password is logged', async () => {
    const log = keepingLog();
    const settings = config({
      KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
      KAFKA_SASL_PASSWORD: 'wrong-and-secret',
    });
    const bus = createEventBus({
      ...eventBusOptions(settings),
      clientId: 'test',
      log: log as EventBusOptions['log'],
    });
    const error = await bus.publish([anEvent('a', 1)]).catch((refusal: unknown) => refusal as Error);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(/authentication/i);
    expect(JSON.stringify(log.lines) + String((error as Error).stack)).not.toMatch(/wrong-and-secret/);
    await bus.close();
  }, 40_000);
});

describe('the settings of Kafka', () => {
  const plain: KafkaConfig = {
    EVENT_BUS_URL: 'kafka://127.0.0.1:9092',
    KAFKA_TOPIC_PARTITIONS: 12,
    KAFKA_REPLICATION_FACTOR: 3,
    KAFKA_TOPIC_PREFIX: '',
  };
  it.each<[string, Partial<KafkaConfig>]>([
    ['KAFKA_SASL_MECHANISM', { KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'hunter2' }],
    ['KAFKA_SASL_PASSWORD', { KAFKA_SASL_MECHANISM: 'PLAIN', KAFKA_SASL_USERNAME: 'u' }],
    ['KAFKA_SASL_USERNAME', { KAFKA_SASL_MECHANISM: 'PLAIN', KAFKA_SASL_PASSWORD: 'hunter2' }],
    ['EVENT_BUS_URL', { KAFKA_CA_FILE: '/nowhere' }],
    ['KAFKA_CA_FILE', { EVENT_BUS_URL: 'kafka+ssl://h:1', KAFKA_CA_FILE: '/nowhere' }],
    ['KAFKA_KEY_FILE', { EVENT_BUS_URL: 'kafka+ssl://h:1', KAFKA_CERT_FILE: __filename }],
  ])('when %s does not fit the others, then that is said by its name', (name, settings) => {
    expect(() => eventBusOptions({ ...plain, ...settings })).toThrow(name);
    expect(() => eventBusOptions({ ...plain, ...settings })).not.toThrow('hunter2');
  });
});
