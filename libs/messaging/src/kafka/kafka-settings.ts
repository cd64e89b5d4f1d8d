import type { DatabaseAddress, Pooler } from '@reseller/database';
import { ConfigError, mayBePlaintext, readPemFile, type PlaintextUse } from '@reseller/service-kit';
import type { ConnectionOptions } from 'node:tls';
import type { SASLOptions } from 'kafkajs';

/** How a bus on Kafka is set up beside its brokers; README.md says what each setting is for. */
export interface KafkaSettings {
  /** Partitions of a topic that is new; 12 by default. */
  partitions?: number;
  /** Copies of a topic that is new; 1 by default. */
  replicationFactor?: number;
  /** What the names of topics and groups begin with on a cluster shared with others; nothing by default. */
  prefix?: string;
  /** TLS, for `kafka+ssl://`: whom to trust and as whom to come, beside what Node.js trusts anyway. */
  tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;
  sasl?: SASLOptions;
}

/** The settings as a service reads them from its environment (`eventBusConfig` in service-kit). */
export interface KafkaConfig {
  NODE_ENV: string;
  PLAINTEXT_ALLOWED: readonly PlaintextUse[];
  EVENT_BUS_URL: string;
  DATABASE_POOLER?: Pooler | undefined;
  EVENT_BUS_DIRECT_URL?: string | undefined;
  KAFKA_TOPIC_PARTITIONS: number;
  KAFKA_REPLICATION_FACTOR: number;
  KAFKA_TOPIC_PREFIX: string;
  KAFKA_CA_FILE?: string | undefined;
  KAFKA_CERT_FILE?: string | undefined;
  KAFKA_KEY_FILE?: string | undefined;
  KAFKA_SASL_MECHANISM?: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | undefined;
  KAFKA_SASL_USERNAME?: string | undefined;
  KAFKA_SASL_PASSWORD?: string | undefined;
}

/**
 * What `createEventBus` takes of a service's settings; a ConfigError with the setting's name when they do not fit. Of a bus
 * on PostgreSQL no setting of Kafka counts.
 */
export function eventBusOptions(
  config: KafkaConfig,
): Omit<DatabaseAddress, 'connectionString'> & { url: string; kafka?: KafkaSettings } {
  const { EVENT_BUS_URL: url } = config;
  const { DATABASE_POOLER: pooler, EVENT_BUS_DIRECT_URL: directConnectionString } = config;
  if (!url.startsWith('kafka')) return { url, pooler, directConnectionString };
  if (!url.startsWith('kafka+ssl:') && !mayBePlaintext(config, 'kafka'))
    refuse(
      'EVENT_BUS_URL must begin with kafka+ssl:// when NODE_ENV is production, unless PLAINTEXT_ALLOWED names kafka',
    );
  const tls = tlsOf(config);
  const sasl = saslOf(config);
  return {
    url,
    kafka: {
      partitions: config.KAFKA_TOPIC_PARTITIONS,
      replicationFactor: config.KAFKA_REPLICATION_FACTOR,
      prefix: config.KAFKA_TOPIC_PREFIX,
      ...(tls && { tls }),
      ...(sasl && { sasl }),
    },
  };
}

function refuse(line: string): never {
  throw new ConfigError([line]);
}

function saslOf(config: KafkaConfig): SASLOptions | undefined {
  const { KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  if (!KAFKA_SASL_MECHANISM) {
    if (username || password) refuse('KAFKA_SASL_MECHANISM is missing: it goes with a user name');
    return undefined;
  }
  if (!username) refuse('KAFKA_SASL_USERNAME is missing: it goes with KAFKA_SASL_MECHANISM');
  if (!password) refuse('KAFKA_SASL_PASSWORD is missing: it goes with KAFKA_SASL_MECHANISM');
  const mechanism = KAFKA_SASL_MECHANISM.toLowerCase() as 'plain' | 'scram-sha-256' | 'scram-sha-512';
  return { mechanism, username, password } as SASLOptions;
}

function tlsOf(config: KafkaConfig): KafkaSettings['tls'] {
  const { KAFKA_CA_FILE, KAFKA_CERT_FILE, KAFKA_KEY_FILE } = config;
  if (!KAFKA_CA_FILE && !KAFKA_CERT_FILE && !KAFKA_KEY_FILE) return undefined;
  if (!config.EVENT_BUS_URL.startsWith('kafka+ssl:'))
    refuse('EVENT_BUS_URL must begin with kafka+ssl:// when a KAFKA_…_FILE is set');
  if (!KAFKA_CERT_FILE !== !KAFKA_KEY_FILE)
    refuse('KAFKA_CERT_FILE and KAFKA_KEY_FILE go together: one of them is missing');
  return {
    ...(KAFKA_CA_FILE && { ca: [readPemFile('KAFKA_CA_FILE', KAFKA_CA_FILE, 'certificates')] }),
    ...(KAFKA_CERT_FILE && { cert: readPemFile('KAFKA_CERT_FILE', KAFKA_CERT_FILE, 'certificates') }),
    ...(KAFKA_KEY_FILE && { key: readPemFile('KAFKA_KEY_FILE', KAFKA_KEY_FILE, 'key') }),
  };
}
