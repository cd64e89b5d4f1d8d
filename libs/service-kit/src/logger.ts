import { currentLogFields, scrub } from '@reseller/telemetry';
import {
  destination,
  pino,
  stdSerializers,
  stdTimeFunctions,
  type DestinationStream,
  type Logger,
} from 'pino';

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
  to: DestinationStream = standardOutput(),
): Logger {
  const options = {
    level,
    redact,
    base: { service: name, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    mixin: currentLogFields,
    serializers: { err: serializeError },
  };
  return pino(options, { write: (line) => to.write(scrub(line)) });
}

// PostgreSQL quotes rows, and with them anything a row holds.
const QUOTING = ['detail', 'where', 'internalQuery', 'query', 'parameters', 'hint'];

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const serialized: Record<string, unknown> = { ...stdSerializers.err(error) };
  for (const field of QUOTING) delete serialized[field];
  return serialized;
}

// Written before the call returns: a process that ends at once must not lose or reorder the lines that say why.
function standardOutput(): DestinationStream {
  return destination({ fd: 1, sync: true });
}

export type { Logger };
