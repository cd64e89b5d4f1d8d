import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  baseConfig,
  ConfigError,
  databaseConfig,
  envAddress,
  envDatabaseUrl,
  envEventBusUrl,
  eventBusConfig,
  loadConfig,
  requireDirectUrls,
} from './config';

const schema = z.object({
  ...baseConfig,
  DATABASE_URL: envDatabaseUrl(),
  FINANCE_ADDRESS: envAddress(),
  SIGNING_SECRET: z.string().min(32).describe('at least 32 characters'),
});

const good = {
  DATABASE_URL: 'postgresql://u:p@127.0.0.1:5432/db',
  FINANCE_ADDRESS: '127.0.0.1:7001',
  SIGNING_SECRET: 'x'.repeat(32),
};

function linesFor(env: Record<string, string | undefined>): string[] {
  return linesOf(schema, env);
}

function linesOf(of: z.ZodObject, env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(of, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('when only what has no default is given, then the rest has its default', () => {
    expect(loadConfig(schema, { ...good, UNRELATED: 'x' })).toEqual({
      ...good,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: 0,
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: 0,
      SHUTDOWN_DELAY_MS: 0,
      SHUTDOWN_GRACE_MS: 15_000,
      MIGRATE_ON_START: false,
      PLAINTEXT_ALLOWED: [],
      GRPC_TLS_PEER_NAME: '{service}',
    });
  });

  it('when values are given as text, then they are read as what they are', () => {
    const env = { ...good, GRPC_PORT: '7000', MIGRATE_ON_START: 'true' };
    expect(loadConfig(schema, env)).toMatchObject({ GRPC_PORT: 7000, MIGRATE_ON_START: true });
  });

  it('when several are bad, then each has one line with its name and what is expected, and no value is shown', () => {
    const lines = linesFor({
      DATABASE_URL: 'mysql://root:hunter2@db',
      FINANCE_ADDRESS: '',
      SIGNING_SECRET: 'hunter2',
      GRPC_PORT: '70000',
      LOG_LEVEL: 'loud',
      SHUTDOWN_GRACE_MS: '10s',
      MIGRATE_ON_START: 'yes',
    });
    expect(lines.sort()).toEqual([
      'DATABASE_URL is not valid: expected a PostgreSQL connection string, postgresql://user:password@host:port/database',
      'FINANCE_ADDRESS is missing: expected host:port of the service',
      'GRPC_PORT is not valid: expected a port from 0 (any free one) to 65535',
      'LOG_LEVEL is not valid: expected one of trace, debug, info, warn, error, fatal, silent',
      'MIGRATE_ON_START is not valid: expected true or false',
      'SHUTDOWN_GRACE_MS is not valid: expected a whole number of milliseconds from 0 to 600000',
      'SIGNING_SECRET is not valid: expected at least 32 characters',
    ]);
    expect(lines.join()).not.toContain('hunter2');
  });

  it.each([
    'postgresql://u:hunter2@127.0.0.1:99999/db',
    'postgresql://u:hunt%er2@127.0.0.1:5432/db',
    'postgresql://u:hunter2@/a b',
    'mysql://u:hunter2@127.0.0.1:5432/db',
  ])('when no client could use the database URL %s, then it is refused and not shown', (DATABASE_URL) => {
    expect(linesFor({ ...good, DATABASE_URL })).toEqual([
      'DATABASE_URL is not valid: expected a PostgreSQL connection string, postgresql://user:password@host:port/database',
    ]);
  });

  it.each([
    'kafka://',
    'kafka://broker',
    'kafka://broker:9092,',
    'kafka://u:hunter2@broker:9092',
    'kafka+tls://broker:9092',
    'mysql://u:hunter2@h:1/db',
  ])('when no bus is at the event bus URL %s, then it is refused and not shown', (EVENT_BUS_URL) => {
    const bus = z.object({ EVENT_BUS_URL: envEventBusUrl() });
    const refusal = /^EVENT_BUS_URL is not valid: expected postgresql:.* or kafka:/;
    expect(linesOf(bus, { EVENT_BUS_URL })).toEqual([expect.stringMatching(refusal)]);
    expect(linesOf(bus, { EVENT_BUS_URL }).join()).not.toContain('hunter2');
  });

  it.each([
    'postgresql://u:p@127.0.0.1:5432/bus',
    'kafka://127.0.0.1:9092',
    'kafka+ssl://a.example:9093,b.example:9093,[::1]:9093',
  ])('when the event bus URL is %s, then it is taken as it is', (EVENT_BUS_URL) => {
    expect(loadConfig(z.object({ EVENT_BUS_URL: envEventBusUrl() }), { EVENT_BUS_URL })).toEqual({
      EVENT_BUS_URL,
    });
  });

  it.each(['127.0.0.1', '127.0.0.1:0', '127.0.0.1:99999', 'http://127.0.0.1:1', '127.0.0.1:1,', 'a b:1'])(
    'when the address is %s, then it is refused',
    (FINANCE_ADDRESS) => {
      expect(linesFor({ ...good, FINANCE_ADDRESS })).toEqual([
        'FINANCE_ADDRESS is not valid: expected host:port of the service',
      ]);
    },
  );

  it.each(['finance:7001', '127.0.0.1:7001,127.0.0.2:7001', '[::1]:7001'])(
    'when the address is %s, then it is taken',
    (FINANCE_ADDRESS) => {
      expect(linesFor({ ...good, FINANCE_ADDRESS })).toEqual([]);
    },
  );

  it('when a field has no description, then the line still says what is wrong', () => {
    const plain = z.object({ NAME: z.string().max(3) });
    expect(() => loadConfig(plain, { NAME: 'long' })).toThrow(/^NAME is not valid: .*3/);
    expect(() => loadConfig(plain, {})).toThrow(/^NAME is missing: expected a text$/);
  });

  it('when a rule over several variables is broken, then its own sentence is the line', () => {
    const pair = z
      .object({ KEY_FILE: z.string().optional(), KEY: z.string().optional() })
      .refine(({ KEY, KEY_FILE }) => KEY ?? KEY_FILE, 'KEY or KEY_FILE is missing: expected one of them');
    expect(() => loadConfig(pair, {})).toThrow(/^KEY or KEY_FILE is missing: expected one of them$/);
  });
});

describe('a database behind a pooler', () => {
  const pooled = z.object({ ...databaseConfig, ...eventBusConfig }).superRefine(requireDirectUrls);
  const database = { DATABASE_URL: good.DATABASE_URL, EVENT_BUS_URL: good.DATABASE_URL };
  const expected = 'is missing: expected a PostgreSQL connection string that leads past the pooler';

  it('when a pooler is named, then a way past it is needed to each database that it is in front of', () => {
    const env = { ...database, DATABASE_POOLER: 'transaction' };
    expect(linesOf(pooled, database)).toEqual([]);
    expect(linesOf(pooled, env)).toEqual([
      `DATABASE_DIRECT_URL ${expected}`,
      `EVENT_BUS_DIRECT_URL ${expected}`,
    ]);
    const DATABASE_DIRECT_URL = good.DATABASE_URL;
    expect(linesOf(pooled, { ...env, EVENT_BUS_URL: 'kafka://b:9092', DATABASE_DIRECT_URL })).toEqual([]);
    expect(
      linesOf(pooled, { ...env, DATABASE_DIRECT_URL, EVENT_BUS_DIRECT_URL: DATABASE_DIRECT_URL }),
    ).toEqual([]);
  });
});
