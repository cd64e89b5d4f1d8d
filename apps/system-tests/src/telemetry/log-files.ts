import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One line of a log file. */
export interface LogLine {
  readonly file: string;
  readonly text: string;
}

/** A line of a service's log, read. */
export type LogEntry = Readonly<Record<string, unknown>>;

/** Every line that a platform's processes have written. */
export function readLogLines(directory: string): LogLine[] {
  return readdirSync(directory).flatMap((file) =>
    readFileSync(path.join(directory, file), 'utf8')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => ({ file, text })),
  );
}

/** PostgreSQL's own log is no JSON; everything else is. */
export const isOfService = ({ file }: LogLine): boolean => !file.startsWith('postgres');

/** Lines of services that are no JSON object with level, time, service and msg. */
export function findShapeless(lines: readonly LogLine[]): string[] {
  const isShapely = (text: string): boolean => {
    try {
      const { level, time, service, msg } = JSON.parse(text) as LogEntry;
      return [typeof level, typeof time, typeof service, typeof msg].join() === 'number,string,string,string';
    } catch {
      return false;
    }
  };
  return lines.filter(isOfService).flatMap(({ file, text }) => (isShapely(text) ? [] : [`${file}: ${text}`]));
}

/** As it stands, in the encodings in which it travels, and in the two in which it is usually wrapped. */
function spellings(secret: string): string[] {
  const basic = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    basic.toString('base64').replace(/=+$/, ''),
    basic.toString('base64url'),
    basic.toString('hex'),
  ];
}

const PERSONAL: readonly [string, RegExp][] = [
  ['an e-mail address', /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|test|example)\b/],
  ['a phone number', /(?:\+|%2[Bb])[1-9]\d{7,14}\b/],
];

/** What nobody may read in a log: each line that holds a secret, however spelled, or where a person is reached. */
export function findLeaks(lines: readonly LogLine[], secrets: readonly string[]): string[] {
  const wanted = [...new Set(secrets.flatMap(spellings))];
  return lines.flatMap(({ file, text }) => {
    const leaked = wanted.some((secret) => text.includes(secret));
    const kinds = PERSONAL.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind);
    return [...(leaked ? ['a secret'] : []), ...kinds].map((kind) => `${file} holds ${kind}: ${text}`);
  });
}
