import { z } from 'zod';
import { plaintextConfig } from './plaintext-config';
import { rpcTlsConfig } from './rpc-tls-config';

/** The configuration cannot be used; the message has one line for each bad variable, never its value. */
export class ConfigError extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
  }
}

/** A whole number; `unit` appears in the line that says what is expected. */
export function envInteger(bounds: { min: number; max: number; unit?: string }): z.ZodType<number, string> {
  const expected = `a whole number${bounds.unit ? ` of ${bounds.unit}` : ''} from ${bounds.min} to ${bounds.max}`;
  return z
    .string(expected)
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= bounds.min && value <= bounds.max, expected)
    .describe(expected);
}

/** A TCP port; 0 takes a free one. */
export function envPort(): z.ZodType<number, string> {
  return envInteger({ min: 0, max: 65_535 }).describe('a port from 0 (any free one) to 65535');
}

/** `true` or `false`. */
export function envBoolean(): z.ZodType<boolean, 'true' | 'false'> {
  return z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .describe('true or false');
}

const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i;

function isHostAndPort(text: string): boolean {
  const port = Number(HOST_AND_PORT.exec(text)?.[1]);
  return port >= 1 && port <= 65_535;
}

/** host:port of a service, or several, comma separated. */
export function envAddress(): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => text.split(',').every(isHostAndPort))
    .describe('host:port of the service');
}

// What the client would refuse later must be refused here: its error would show the whole string, password included.
function isDatabaseUrl(text: string): boolean {
  try {
    const { username, password, pathname } = new URL(text);
    decodeURIComponent(`${username}${password}${pathname}`);
    return /^postgres(ql)?:\/\/\S+$/.test(text);
  } catch {
    return false;
  }
}

/** The http or https address `of` something. */
export function envHttpUrl(of: string): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text))
    .describe(`the http or https address of ${of}`);
}

/** A PostgreSQL connection string. */
export function envDatabaseUrl(): z.ZodType<string, string> {
  return z
    .string()
    .refine(isDatabaseUrl)
    .describe('a PostgreSQL connection string, postgresql://user:password@host:port/database');
}

function envDirectUrl(): z.ZodType<string, string> {
  return envDatabaseUrl().describe('a PostgreSQL connection string that leads past the pooler');
}

/** How a service reaches its database; `databaseAddress` of database makes a pool's options of it. */
export const databaseConfig = {
  DATABASE_URL: envDatabaseUrl(),
  DATABASE_POOLER: z.enum(['none', 'transaction', 'transaction-prepared']).default('none'),
  DATABASE_DIRECT_URL: envDirectUrl().optional(),
};

/** The replica that a service may read from; `createReplica` of database makes it of them. */
export const replicaConfig = {
  DATABASE_REPLICA_URL: envDatabaseUrl().optional(),
  DATABASE_REPLICA_STALENESS_MS: envInteger({ min: 500, max: 60_000, unit: 'milliseconds' }).default(2_000),
};

const DIRECT_URLS = { DATABASE_URL: 'DATABASE_DIRECT_URL', EVENT_BUS_URL: 'EVENT_BUS_DIRECT_URL' } as const;

/** Refuses settings that name a pooler and no way past it, for `superRefine`. */
export function requireDirectUrls(
  settings: { DATABASE_POOLER: string } & {
    [name in keyof typeof DIRECT_URLS | DirectUrl]?: string | undefined;
  },
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (settings.DATABASE_POOLER === 'none') return;
  for (const [name, direct] of Object.entries(DIRECT_URLS) as [keyof typeof DIRECT_URLS, DirectUrl][])
    if (isDatabaseUrl(settings[name] ?? '') && !settings[direct])
      context.addIssue({ code: 'custom', path: [direct] });
}

type DirectUrl = (typeof DIRECT_URLS)[keyof typeof DIRECT_URLS];

const KAFKA_URL = /^kafka(?:\+ssl)?:\/\/([^\s/]+)$/;

function isEventBusUrl(text: string): boolean {
  const brokers = KAFKA_URL.exec(text)?.[1];
  return brokers ? brokers.split(',').every(isHostAndPort) : isDatabaseUrl(text);
}

/** Where the event bus is: a PostgreSQL database, or Kafka's brokers. */
export function envEventBusUrl(): z.ZodType<string, string> {
  return z
    .string()
    .refine(isEventBusUrl)
    .describe(
      'postgresql://user:password@host:port/database, or kafka://host:port[,host:port] (kafka+ssl:// for TLS)',
    );
}
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

/** The standard variables of OpenTelemetry; without an endpoint nothing of it is loaded. */
const tracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT: envHttpUrl('an OTLP collector').optional(),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)])
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
    .transform(Number)
    .describe('a share from 0 to 1')
    .optional(),
  OTEL_BSP_SCHEDULE_DELAY: envInteger({ min: 10, max: 60_000, unit: 'milliseconds' }).optional(),
  SERVICE_VERSION: z.string().min(1).optional(),
  DEPLOYMENT_ENVIRONMENT: z.string().min(1).optional(),
};

const filePath = (of: string): z.ZodOptional<z.ZodType<string, string>> =>
  z.string().min(1).describe(`the path of a PEM file with ${of}`).optional();

/** What every service on the event bus reads; `eventBusOptions` of messaging makes a bus's options of it. */
export const eventBusConfig = {
  EVENT_BUS_URL: envEventBusUrl(),
  EVENT_BUS_DIRECT_URL: envDirectUrl().optional(),
  KAFKA_TOPIC_PARTITIONS: envInteger({ min: 1, max: 1_000, unit: 'partitions' }).default(12),
  KAFKA_REPLICATION_FACTOR: envInteger({ min: 1, max: 9, unit: 'copies' }).default(1),
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/)
    .describe('what names of topics and groups begin with: up to 100 letters, digits, dots, dashes')
    .default(''),
  KAFKA_CA_FILE: filePath('the certificates to trust'),
  KAFKA_CERT_FILE: filePath('the client’s certificate'),
  KAFKA_KEY_FILE: filePath('the client’s key'),
  KAFKA_SASL_MECHANISM: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])
    .describe('PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512')
    .optional(),
  KAFKA_SASL_USERNAME: z.string().min(1).describe('a user name').optional(),
  KAFKA_SASL_PASSWORD: z.string().min(1).describe('a password').optional(),
};

/** What every service reads from its environment; spread it into the service's own z.object. */
export const baseConfig = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  GRPC_HOST: z.string().min(1).default('127.0.0.1'),
  GRPC_PORT: envPort().default(0),
  HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  HTTP_PORT: envPort().default(0),
  SHUTDOWN_DELAY_MS: envInteger({ min: 0, max: 600_000, unit: 'milliseconds' }).default(0),
  SHUTDOWN_GRACE_MS: envInteger({ min: 0, max: 600_000, unit: 'milliseconds' }).default(15_000),
  MIGRATE_ON_START: envBoolean().default(false),
  DATABASE_MIGRATION_URL: envDatabaseUrl().optional(),
  ...rpcTlsConfig,
  ...plaintextConfig,
  ...tracingConfig,
};

/** The validated settings that every service has. */
export type BaseConfig = z.infer<z.ZodObject<typeof baseConfig>>;

/** Reads the settings of a schema; throws ConfigError naming every bad variable. An empty variable counts as missing. */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  env: Record<string, string | undefined> = process.env,
): z.infer<S> {
  const names = Object.keys(schema.shape);
  const given = Object.fromEntries(names.filter((name) => env[name]).map((name) => [name, env[name]]));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new ConfigError(explain(schema, result.error, given));
}

function explain(schema: z.ZodObject, error: z.ZodError, given: Record<string, unknown>): string[] {
  const byName = new Map<string, string>();
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? '');
    if (byName.has(name)) continue;
    const state = name in given ? 'is not valid' : 'is missing';
    // A rule over several variables belongs to none of them and says it all itself.
    byName.set(
      name,
      name === '' ? issue.message : `${name} ${state}: ${expectation(schema.shape[name], issue)}`,
    );
  }
  return [...byName.values()];
}

function expectation(field: z.core.$ZodType | undefined, issue: z.core.$ZodIssue): string {
  const described = field && describe(field);
  if (described) return `expected ${described}`;
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_type')
    return `expected a ${issue.expected === 'string' ? 'text' : issue.expected}`;
  return issue.message;
}

// A default or optional wrapper carries no description of its own.
function describe(field: z.core.$ZodType): string | undefined {
  const own = z.globalRegistry.get(field)?.description;
  const inner = 'innerType' in field._zod.def ? field._zod.def.innerType : undefined;
  return own ?? (inner instanceof z.core.$ZodType ? describe(inner) : undefined);
}
