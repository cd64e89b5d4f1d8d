import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** Reads a JSON file that writePrivateJson wrote; undefined when there is none. */
export function readPrivateJson<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

/** Replaces a JSON file, readable by its owner only: a reader, or a crash, meets the old one or the new one whole. */
export function writePrivateJson(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    const handle = openSync(draft, 'w', 0o600);
    try {
      // Unlike writeSync this goes on until all of it is written, or throws: a disk that fills up takes a part.
      writeFileSync(handle, `${JSON.stringify(value, null, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
