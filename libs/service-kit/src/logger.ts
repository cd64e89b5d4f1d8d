import { pino, type Logger } from 'pino';

const SECRET_FIELDS = ['authorization', 'clientSecret', 'secret', 'password', 'token'];
const redact = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  censor: '[hidden]',
};

/** A pino logger to standard output, one JSON line an entry; secrets in its fields are hidden down to three levels. */
export function createLogger({ name, level }: { name: string; level: string }): Logger {
  return pino({ name, level, redact, timestamp: pino.stdTimeFunctions.isoTime });
}

export type { Logger };
