// Makes the secrets of one installation, once: `npm run secrets` writes deploy/.secrets/compose.env (readable by you
// alone, ignored by git) and leaves what is there already. docker-compose.yml reads that file; the local Kubernetes
// overlay reads the folder beside it. Uses nothing but Node.js.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Services with a database of their own; a role, a database and a password each (deploy/postgres/init.sql). */
export const DATABASE_OWNERS = ['identity', 'finance', 'scent-commerce', 'orders-saga', 'notifier', 'vendor-simulator']; // prettier-ignore

/** `ORDERS_SAGA_DATABASE_PASSWORD` of `orders-saga`. */
export const passwordVariable = (service) =>
  `${service.toUpperCase().replaceAll('-', '_')}_DATABASE_PASSWORD`;

const words = (bytes) => randomBytes(bytes).toString('base64url');
const key = () => randomBytes(32).toString('base64');
const today = () => new Date().toISOString().slice(0, 10);

/** New values of everything that only this installation may know. */
export function makeSecrets() {
  const passwords = DATABASE_OWNERS.map((service) => [passwordVariable(service), words(24)]);
  return {
    POSTGRES_PASSWORD: words(24),
    ...Object.fromEntries(passwords),
    CREDENTIAL_HASH_KEY: key(),
    KEY_ENCRYPTION_KEY: key(),
    WEBHOOK_SECRET_KEYS: `${today()}:${key()}`,
    OPERATOR_TOKENS: `operator=op_${words(32)}`,
    VENDOR_API_KEY: words(32),
    VENDOR_CALLBACK_SECRET: words(32),
    GRAFANA_PASSWORD: words(18),
  };
}

const readEnv = (file) =>
  Object.fromEntries(
    (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Completes an env file with what it lacks; answers the names that were added. */
export function completeSecrets(file) {
  const known = readEnv(file);
  const all = { ...makeSecrets(), ...known };
  const added = Object.keys(all).filter((name) => !(name in known));
  if (added.length === 0) return added;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const lines = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return added;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = path.join(path.dirname(fileURLToPath(import.meta.url)), '.secrets/compose.env');
  const added = completeSecrets(file);
  console.log(added.length > 0 ? `${file}: made ${added.join(', ')}` : `${file}: nothing to make`);
}
