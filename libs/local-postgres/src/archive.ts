import { chownSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { clusterAccount } from './launch-plan';

const SEGMENT = /^[0-9A-F]{24}$/;
const SEGMENT_BYTES = 16n * 1024n * 1024n;

/** A path inside a command that PostgreSQL hands to the shell. */
const quoted = (file: string): string => `'${file.replaceAll("'", "'\\''")}'`;

/**
 * Settings by which a server copies each finished piece of its log into a directory, and finishes one after
 * `timeoutSeconds` at the latest: that long is what a lost disk can cost. A piece appears there whole or not at all, and is
 * never overwritten.
 */
export function archiveSettings(directory: string, timeoutSeconds: number): Record<string, string> {
  const target = `${quoted(path.resolve(directory))}/%f`;
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    // %p is the server's own piece, %f its name. An archive that has the name already must have the same bytes.
    archive_command: `if test -f ${target}; then cmp -s "%p" ${target}; else cp "%p" ${target}.part && mv ${target}.part ${target}; fi`,
    archive_timeout: `${timeoutSeconds}s`,
  };
}

/** Makes the directory, for the account that the server runs as. */
export function makeArchive(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const account = clusterAccount(directory);
  if (account) chownSync(directory, account.uid, account.gid);
}

/** The position up to which the log is in the archive, of its latest timeline; 0 when nothing is. */
export function archivedUpTo(directory: string): bigint {
  const last = readdirSync(directory)
    .filter((name) => SEGMENT.test(name))
    .sort()
    .at(-1);
  if (last === undefined) return 0n;
  const high = BigInt(`0x${last.slice(8, 16)}`);
  const segment = BigInt(`0x${last.slice(16)}`);
  return (high << 32n) + (segment + 1n) * SEGMENT_BYTES;
}

/** A position in the log (pg_lsn, as text) as a number that compares. */
export function positionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
