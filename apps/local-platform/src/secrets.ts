import { randomBytes } from 'node:crypto';
import { readPrivateJson, writePrivateJson } from './private-file';

const makers = {
  postgresPassword: () => randomBytes(24).toString('base64url'),
  databasePasswordKey: () => randomBytes(32).toString('base64url'),
  operatorToken: () => `op_${randomBytes(32).toString('base64url')}`,
  operatorPasswordKey: () => randomBytes(32).toString('base64url'),
  oidcClientSecret: () => randomBytes(32).toString('base64url'),
  credentialHashKey: () => randomBytes(32).toString('base64'),
  keyEncryptionKey: () => randomBytes(32).toString('base64'),
  webhookSecretKey: () => randomBytes(32).toString('base64'),
  erasureHashKey: () => randomBytes(32).toString('base64'),
  vendorApiKey: () => randomBytes(32).toString('base64url'),
};

/** What only this installation knows. */
export type Secrets = Record<keyof typeof makers, string>;

/** Reads the installation's secrets, making those that are not there yet; none ever changes once made. */
export function readSecrets(file: string): Secrets {
  const known = readPrivateJson<Partial<Secrets>>(file) ?? {};
  const names = Object.keys(makers) as (keyof Secrets)[];
  const secrets = Object.fromEntries(names.map((name) => [name, known[name] ?? makers[name]()])) as Secrets;
  if (names.some((name) => known[name] === undefined)) writePrivateJson(file, { ...known, ...secrets });
  return secrets;
}
