import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';

const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Keeps a log within bounds: past 20 MB it is moved to `<file>.1` and goes on empty, also while it is written. On a disk that
 * has no room for that it stays as it is.
 */
export function rotateLog(file: string): void {
  if (!existsSync(file) || statSync(file).size <= MAX_BYTES) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return rmSync(`${file}.1`, { force: true });
    throw error;
  }
  // Writers hold it open for appending, so they carry on at the new end.
  truncateSync(file, 0);
}

export const logSize = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

/** The last lines written after an offset, 16 KB at the most. */
export function tailLog(file: string, fromOffset: number): string[] {
  const size = logSize(file);
  const start = Math.max(Math.min(fromOffset, size), size - 16_384);
  const buffer = Buffer.alloc(size - start);
  if (buffer.length === 0) return [];
  const handle = openSync(file, 'r');
  try {
    readSync(handle, buffer, 0, buffer.length, start);
  } finally {
    closeSync(handle);
  }
  return buffer.toString('utf8').split('\n').filter(Boolean);
}
