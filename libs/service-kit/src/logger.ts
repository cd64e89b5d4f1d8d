import { currentLogFields, scrub } from '@reseller/telemetry';
import { pino, stdSerializers, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { logOutput } from './log-output';

const SECRET_FIELDS = ['authorization', 'clientSecret', 'secret', 'password', 'token'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: '[hidden]',
};

/**
 * A pino logger, one JSON line an entry to standard output, each with level, time, service and msg, and with the fields of
 * the work it is written in. Whatever looks like a secret or a person's address is hidden in the whole of a line.
 */
export function createLogger(
  { name, level }: { name: string; level: string },
  to?: DestinationStream,
): Logger {
  const options = {
    level,
    redact,
    base: { service: name, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    mixin: currentLogFields,
    serializers: { err: serializeError },
  };
  const logLoss = (lines: number): void =>
    logger.warn({ lines }, 'the log could not be written for a while, and lines of it are lost');
  const output = to ?? logOutput(1, logLoss);
  const logger = pino(options, { write: (line) => output.write(scrub(line)) });
  return logger;
}

// PostgreSQL quotes rows, and with them anything a row holds.
const QUOTING = ['detail', 'where', 'internalQuery', 'query', 'parameters', 'hint'];
/** Of an idle connection that ended: all of pg's client, its prepared statements included. */
const LONG = ['client'];

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const serialized: Record<string, unknown> = { ...stdSerializers.err(error) };
  for (const field of [...QUOTING, ...LONG]) delete serialized[field];
  return serialized;
}

export type { Logger };
