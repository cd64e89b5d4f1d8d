import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderOf } from '../services';

const LIMIT_MS = 60_000;

/**
 * Runs `import.js` of scent-commerce's bundle, which is built beside this one, on the example catalog; throws with what the command
 * said.
 */
export async function importExampleCatalog(bundle: string, databaseUrl: string): Promise<void> {
  const folder = folderOf(bundle, 'scent-commerce');
  const command = path.join(folder, 'import.js');
  const file = path.join(folder, 'data/example-catalog.csv');
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const args = [command, '--file', file, '--all-or-nothing'];
  try {
    await promisify(execFile)(process.execPath, args, { env, timeout: LIMIT_MS });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`the example catalog could not be imported: ${stderr || stdout || String(error)}`, {
      cause: error,
    });
  }
}
