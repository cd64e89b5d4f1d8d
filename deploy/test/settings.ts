import path from 'node:path';
import { baseConfig, ConfigError, loadConfig, rpcSecurity } from '@reseller/service-kit';
import { silentLog } from '@reseller/testing';
import { z } from 'zod';
import type { AppName } from '../src/app-names';
import { CERTIFICATE_MOUNT } from '../src/certificate-files';

export const ROOT = path.resolve(__dirname, '../..');

/** The schema an app itself checks its environment with. */
export async function settingsOf(app: AppName): Promise<z.ZodObject> {
  const file = path.join(ROOT, 'apps', app, 'src/config.ts');
  const module = (await import(file)) as Record<string, unknown>;
  const schemas = Object.values(module).filter((value) => value instanceof z.ZodObject);
  if (schemas.length !== 1) throw new Error(`${file} exports ${schemas.length} schemas, expected one`);
  return schemas[0] as z.ZodObject;
}

/** What an app would say of this environment when it starts: nothing, or a line for each bad variable. */
export async function complaintsOf(app: AppName, env: Record<string, string>): Promise<string[]> {
  const schema = await settingsOf(app);
  try {
    loadConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

/** Whether an app of this environment has its RPC under mutual TLS, with a directory's files where its certificate is mounted. */
export function securedBy(app: AppName, env: Record<string, string>, directory: string): boolean {
  const mounted = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(CERTIFICATE_MOUNT, directory),
  ]);
  const config = loadConfig(z.object(baseConfig), Object.fromEntries(mounted) as Record<string, string>);
  const security = rpcSecurity(app, config, { log: silentLog });
  security.close();
  return security.guard !== undefined;
}

/** Variables an app would never read. */
export async function unknownTo(app: AppName, env: Record<string, string>): Promise<string[]> {
  const known = Object.keys((await settingsOf(app)).shape);
  return Object.keys(env).filter((name) => !known.includes(name));
}

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

/** Values of the right shape for everything that a deployment must make for itself. Never real ones. */
export const PLACEHOLDERS: Record<string, string> = {
  TOKEN_ISSUER: 'https://api.example.com',
  CREDENTIAL_HASH_KEY: key(1),
  KEY_ENCRYPTION_KEY: key(2),
  WEBHOOK_SECRET_KEYS: `2026-11:${key(3)}`,
  ERASURE_HASH_KEY: `2026-11:${key(4)}`,
  OIDC_CLIENT_SECRET: 'client-secret',
  VENDOR_API_KEY: 'vendor-key-0123456789',
  AWS_ACCESS_KEY_ID: 'access-key',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-access-key',
};
