import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@reseller/service-kit';
import { eventBusOptions, type KafkaConfig } from './kafka-settings';

describe('the settings of Kafka', () => {
  const plain: KafkaConfig = {
    NODE_ENV: 'test',
    PLAINTEXT_ALLOWED: [],
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
    [
      'KAFKA_CA_FILE is not valid: expected certificates in PEM',
      { EVENT_BUS_URL: 'kafka+ssl://h:1', KAFKA_CA_FILE: __filename },
    ],
    ['KAFKA_KEY_FILE', { EVENT_BUS_URL: 'kafka+ssl://h:1', KAFKA_CERT_FILE: __filename }],
  ])('when %s does not fit the others, then that is said by its name', (name, settings) => {
    expect(() => eventBusOptions({ ...plain, ...settings })).toThrow(ConfigError);
    expect(() => eventBusOptions({ ...plain, ...settings })).toThrow(name);
    expect(() => eventBusOptions({ ...plain, ...settings })).not.toThrow('hunter2');
  });

  it('when brokers are reached without TLS in production, then only where that is allowed in so many words', () => {
    const production = { ...plain, NODE_ENV: 'production' };
    expect(() => eventBusOptions(production)).toThrow(/^EVENT_BUS_URL must begin with kafka\+ssl/);
    expect(() => eventBusOptions({ ...production, PLAINTEXT_ALLOWED: ['rpc'] })).toThrow('EVENT_BUS_URL');
    expect(eventBusOptions({ ...production, PLAINTEXT_ALLOWED: ['kafka'] }).url).toBe(plain.EVENT_BUS_URL);
    expect(eventBusOptions({ ...production, EVENT_BUS_URL: 'kafka+ssl://h:1' }).url).toBe('kafka+ssl://h:1');
  });

  it('when the bus is on PostgreSQL, then no setting of Kafka counts', () => {
    const url = 'postgresql://h/bus';
    const production = { ...plain, NODE_ENV: 'production', EVENT_BUS_URL: url, KAFKA_CA_FILE: '/nowhere' };
    expect(eventBusOptions(production)).toEqual({ url });
  });
});
