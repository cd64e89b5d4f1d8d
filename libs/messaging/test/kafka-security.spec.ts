import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, eventually, silentLog, startKafka, type TestKafka } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { createEventBus } from '../src/create-event-bus';
import type { EventBusOptions } from '../src/create-event-bus';
import type { EventBus } from '../src/event-bus';
import { createKafkaClient } from '../src/kafka/kafka-client';
import { eventBusOptions, type KafkaConfig } from '../src/kafka/kafka-settings';
import { anEvent } from './event-bus.contract';
import { appOf, declaredRights, declaredTopics, SERVICES, type Topic } from './kafka-rights';
import { asAdmin, keepingLog, missing } from './kafka-support';

/** The services' users are those of deploy/kafka/users.yaml; this one may do everything. */
const USER = 'admin';
const PASSWORD = 'not-to-be-logged';
const jaas = (module: string, users = ''): string =>
  `org.apache.kafka.common.security.${module} required${users};`;
const onOneLine = (file: string): string => readFileSync(file, 'utf8').trim().replaceAll(/\r?\n/g, ' ');

describeWith(missing, 'Kafka with TLS and SASL', () => {
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
      users: Object.fromEntries([USER, ...SERVICES].map((user) => [user, PASSWORD])),
      settings: {
        'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'super.users': `User:ANONYMOUS;User:${USER}`,
        [`${listener}.ssl.keystore.type`]: 'PEM',
        [`${listener}.ssl.keystore.certificate.chain`]: onOneLine(files.certFile),
        [`${listener}.ssl.keystore.key`]: onOneLine(files.keyFile),
        [`${listener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        [`${listener}.plain.sasl.jaas.config`]: jaas('plain.PlainLoginModule', ` user_${USER}="${PASSWORD}"`),
        [`${listener}.scram-sha-256.sasl.jaas.config`]: jaas('scram.ScramLoginModule'),
        [`${listener}.scram-sha-512.sasl.jaas.config`]: jaas('scram.ScramLoginModule'),
      },
    });
  });
  afterAll(async () => {
    await kafka.remove();
    rmSync(directory, { recursive: true });
  });

  const config = (settings: Partial<KafkaConfig>): KafkaConfig => ({
    NODE_ENV: 'production',
    PLAINTEXT_ALLOWED: [],
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
      const bus = await createEventBus({
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
      await eventually(() => expect(got).toContain(event.eventId));
      await bus.close();
    },
  );

  it.each<[what: string, wrong: Partial<KafkaConfig>, setting: RegExp]>([
    [
      'the password is wrong',
      { KAFKA_SASL_PASSWORD: 'wrong-and-secret' },
      /KAFKA_SASL_PASSWORD.*authentication/i,
    ],
    ['the user is unknown', { KAFKA_SASL_USERNAME: 'nobody' }, /KAFKA_SASL_USERNAME.*authentication/i],
    ['there are no credentials', { KAFKA_SASL_MECHANISM: undefined }, /KAFKA_SASL_MECHANISM/],
    ['the authority is not the broker’s', { KAFKA_CA_FILE: undefined }, /KAFKA_CA_FILE.*certificate/],
  ])(
    'when %s, then publishing rejects, its reason and the log name the setting, and no password is logged',
    async (_what, wrong, setting) => {
      const log = keepingLog();
      const credentials = { KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512', ...wrong } as const;
      const bus = await createEventBus({
        ...eventBusOptions(
          config(
            credentials.KAFKA_SASL_MECHANISM
              ? credentials
              : { ...credentials, KAFKA_SASL_USERNAME: undefined, KAFKA_SASL_PASSWORD: undefined },
          ),
        ),
        clientId: 'test',
        log: log as EventBusOptions['log'],
      });
      const consumer = bus.subscribe({
        group: 'wrong',
        topics: [anEvent('a', 1).topic],
        handler: async () => {},
      });
      const error = await bus.publish([anEvent('a', 1)]).catch((refusal: unknown) => refusal as Error);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(setting);
      await eventually(() =>
        expect(
          log.lines.map(({ details }) => String((details['err'] as Error | undefined)?.message)),
        ).toContainEqual(expect.stringMatching(setting)),
      );
      expect(JSON.stringify(log.lines) + String((error as Error).stack)).not.toMatch(/wrong-and-secret/);
      await consumer.stop();
      await bus.close();
    },
  );

  describe('with the rights of deploy/kafka/users.yaml', () => {
    const buses = new Map<string, EventBus>();
    const settingsOf = (user: string): EventBusOptions => ({
      ...eventBusOptions(config({ KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512', KAFKA_SASL_USERNAME: user })),
      clientId: user,
      log: keepingLog() as EventBusOptions['log'],
    });
    const busOf = async (user: string): Promise<EventBus> => {
      const bus = buses.get(user) ?? (await createEventBus(settingsOf(user)));
      buses.set(user, bus);
      return bus;
    };
    const eventOf = (topic: string) => ({ ...anEvent('a', 1), topic });
    beforeAll(async () => {
      await asAdmin(`kafka://${kafka.brokers}`, async (admin) => {
        await admin.createTopics({
          waitForLeaders: true,
          topics: declaredTopics.map(({ topic }) => ({ topic })),
        });
        await admin.createAcls({ acl: declaredRights() });
      });
    });
    afterAll(() => Promise.all([...buses.values()].map((bus) => bus.close())));

    it('when each service writes its topics and reads those of others, then events travel', async () => {
      const got = new Set<string>();
      for (const group of new Set(declaredTopics.flatMap(({ readBy }) => readBy)))
        (await busOf(appOf(group))).subscribe({
          group,
          topics: declaredTopics.filter(({ readBy }) => readBy.includes(group)).map(({ topic }) => topic),
          handler: async (events) => events.forEach(({ eventId }) => got.add(`${group} ${eventId}`)),
        });
      const expected = declaredTopics.flatMap(({ topic, writtenBy, readBy }) => {
        const event = eventOf(topic);
        return { event, writtenBy, receipts: readBy.map((group) => `${group} ${event.eventId}`) };
      });
      for (const { event, writtenBy } of expected) await (await busOf(writtenBy)).publish([event]);
      const receipts = expected.flatMap((one) => one.receipts).sort();
      await eventually(() => expect([...got].sort()).toEqual(receipts));
    });

    it.each(SERVICES)('when %s writes a topic of another service, then the brokers refuse', async (user) => {
      const others = declaredTopics.filter(({ writtenBy }) => writtenBy !== user);
      for (const { topic } of others)
        await expect((await busOf(user)).publish([eventOf(topic)])).rejects.toThrow(/authoriz/i);
    });

    it.each(SERVICES)('when %s looks into what it does not read, then the brokers refuse', async (user) => {
      const own = ({ writtenBy, readBy }: Topic): boolean =>
        writtenBy === user || readBy.map(appOf).includes(user);
      const foreign = declaredTopics.filter((each) => !own(each)).map(({ topic }) => topic);
      const group = declaredTopics.flatMap(({ readBy }) => readBy).find((one) => appOf(one) !== user);
      const { url, kafka: settings } = settingsOf(user);
      const admin = createKafkaClient({ ...settings, url, clientId: user, log: silentLog }).admin({
        retry: { retries: 0 },
      });
      await admin.connect();
      for (const topic of foreign) await expect(admin.fetchTopicOffsets(topic)).rejects.toThrow(/authoriz/i);
      // kafkajs gives no other reason: who may not read a group does not find its coordinator either.
      await expect(admin.fetchOffsets({ groupId: group ?? '' })).rejects.toThrow(/group coordinator/);
      await expect(admin.deleteTopics({ topics: ['reseller.orders.order.v1'] })).rejects.toThrow(/authoriz/i);
      await admin.disconnect();
    });
  });
});
