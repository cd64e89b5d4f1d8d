import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

const SECRET_FIELDS = ['authorization', 'clientSecret', 'secret', 'password', 'token'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: '[hidden]',
};

/** A pino logger, one JSON line an entry to standard output; secrets in its fields are hidden down to three levels. */
export function createLogger(
  { name, level }: { name: string; level: string },
  to: DestinationStream = standardOutput(),
): Logger {
  return pino({ name, level, redact, timestamp: stdTimeFunctions.isoTime }, to);
}

// Written before the call returns: a process that ends at once must not lose or reorder the lines that say why.
function standardOutput(): DestinationStream {
  return destination({ fd: 1, sync: true });
}

export type { Logger };
