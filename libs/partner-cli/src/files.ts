import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A file of this command's in the user's folder for settings or for what can be made again (XDG_CONFIG_HOME, XDG_CACHE_HOME). */
export function userFile(kind: 'config' | 'cache', name: string): string {
  const folder = process.env[`XDG_${kind.toUpperCase()}_HOME`] ?? path.join(os.homedir(), `.${kind}`);
  return path.join(folder, 'reseller', name);
}

/** What a JSON file holds; undefined when there is none. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a JSON file that only its owner can read. What cannot be written, as on a full disk, leaves the one that was there. */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
