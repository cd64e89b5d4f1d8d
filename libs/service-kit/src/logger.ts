import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

const SECRET_FIELDS = ['authorization', 'clientSecret', 'secret', 'password', 'token'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: '[hidden]',
};

/** A pino logger, one JSON line an entry to standard output; secrets in its fields are hidden down to three levels. */
export function createLogger(
  { name, level }: { name: string; level: string },
  destination?: DestinationStream,
): Logger {
  const options = { name, level, redact, timestamp: stdTimeFunctions.isoTime };
  return destination ? pino(options, destination) : pino(options);
}

export type { Logger };
