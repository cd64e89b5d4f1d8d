import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Fields of responses whose values nobody may find in a log. */
const SECRET_FIELDS = [
  'accessToken',
  'clientSecret',
  'secret',
  'operatorToken',
  'esimActivationCode',
  'esimQrCode',
  'esimIccid',
];
const IN_JSON = new RegExp(`"(?:${SECRET_FIELDS.join('|')})":"([^"]{6,})"`, 'g');

const fileOf = (platformFile: string): string => path.join(path.dirname(platformFile), 'used-secrets.txt');

/** Remembers the secrets of a response for the search of the logs; nothing outside of a run that asks for it. */
export function rememberSecrets(response: string, platformFile = process.env.REMEMBER_SECRETS_OF): void {
  if (!platformFile) return;
  const found = [...response.matchAll(IN_JSON)].map(([, value = '']) => value);
  if (found.length > 0) appendFileSync(fileOf(platformFile), `${found.join('\n')}\n`);
}

/** Every secret of a platform and of what was done to it: its own files, and what responses held. */
export function readUsedSecrets(platformFile: string): string[] {
  const directory = path.dirname(platformFile);
  const own = JSON.parse(readFileSync(path.join(directory, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >;
  const seen = existsSync(fileOf(platformFile)) ? readFileSync(fileOf(platformFile), 'utf8').split('\n') : [];
  const described = [...readFileSync(platformFile, 'utf8').matchAll(/"clientSecret":\s*"([^"]+)"/g)];
  return [...new Set([...Object.values(own), ...described.map(([, value = '']) => value), ...seen])].filter(
    (value) => value.length >= 6,
  );
}
