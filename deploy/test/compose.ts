import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeSecrets, ownerSetting } from '../make-secrets.mjs';
import { readCompose, type ComposeService } from '../src/compose-file';
import { ROOT } from './settings';

/** docker-compose.yml as it is written. */
export const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');

/** Secrets of an installation that nobody has. */
export const secrets: Record<string, string> = makeSecrets();

/** All that `npm run secrets` gives to Compose; the broker's certificate is made with the others, and looked at by itself. */
export const given: Record<string, string> = {
  ...secrets,
  ...ownerSetting(),
  KAFKA_BROKER_CERTIFICATE: 'certificate',
  KAFKA_BROKER_KEY: 'key',
};

/** docker-compose.yml with these. */
export const compose = readCompose(text, given);

/** A service of it. */
export function service(name: string): ComposeService {
  const found = compose.services[name];
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}
