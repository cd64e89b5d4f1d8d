// The certificates of one installation, for docker-compose.yml and the local Kubernetes overlay: an authority of its own
// and one certificate for each app, made by what the tests and the local platform make theirs with. What is there stays.
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CertificateAuthority } from '../libs/testing/src/certificate-authority.ts';
import { APPS } from './src/apps.ts';
import { speaksRpc } from './src/certificates.ts';

/** The apps that call or serve RPCs, by the names that the contracts know callers by. */
export const RPC_APPS = APPS.filter(speaksRpc).map(({ name }) => name);

const VALID_MS = 365 * 86_400_000;

/**
 * Makes what is missing below a directory: `authority/`, with its key, and for each name `<name>/` with tls.crt, tls.key and
 * ca.crt. With `renew` each name gets a new certificate of the same authority. Returns the names of those that were made.
 */
export async function makeCertificates(
  directory,
  { names = /** @type {string[]} */ (RPC_APPS), renew = false } = {},
) {
  const missing = names.filter((name) => renew || !existsSync(path.join(directory, name, 'tls.crt')));
  if (missing.length === 0) return missing;
  const authority = await authorityIn(path.join(directory, 'authority'));
  const validUntil = new Date(Date.now() + VALID_MS);
  for (const name of missing)
    await authority.write(path.join(directory, name), { names: [name], validUntil });
  return missing;
}

async function authorityIn(directory) {
  if (existsSync(path.join(directory, 'ca.crt'))) return CertificateAuthority.open(directory);
  const authority = await CertificateAuthority.create(`Partner Reseller ${randomUUID()}`);
  await authority.keep(directory);
  return authority;
}

/** As whom containers read these files: who made them, and where that is root, the image's own user. */
export function fileOwner() {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return user === 0 ? { user: 65_532, group: 65_532 } : { user, group };
}

/** Gives what stands in a directory to the owner of `fileOwner`, for a key is readable by nobody else. */
export function giveToOwner(directory) {
  const { user, group } = fileOwner();
  if (process.getuid?.() !== 0) return;
  for (const name of readdirSync(directory)) chownSync(path.join(directory, name), user, group);
}
