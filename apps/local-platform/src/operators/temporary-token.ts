import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * An admin's token for a few minutes, by identity's own command: with NODE_ENV=production there is no other to begin with. Each name is
 * another operator. */
export async function makeTemporaryToken(
  identityBundle: string,
  env: Record<string, string | undefined>,
  name: 'seed' | 'seed-approver',
): Promise<string> {
  const args = [
    path.join(identityBundle, 'operator-token.js'),
    '--name',
    name,
    '--role',
    'admin',
    '--minutes',
    '5',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return stdout.trim();
}
