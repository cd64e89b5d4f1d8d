import { createHash } from 'node:crypto';
import { isFeedCursor } from '@reseller/errors';
import type { EnvironmentName } from '@reseller/rpc';

/** Whose feed it is. */
export interface FeedOwner {
  readonly partnerId: string;
  readonly environment: EnvironmentName;
}

const VERSION = 1;
const POSITION_BYTES = 8;
// With the others a multiple of three: base64url has no spare bits in which two texts could say the same.
const CHECK_BYTES = 9;

/**
 * A position in one feed as partners pass it on. It is bound to its feed by a check sum and holds nothing secret: who makes one up
 * for a feed of its own skips events of its own.
 */
export function writeCursor(owner: FeedOwner, position: bigint): string {
  const head = Buffer.alloc(1 + POSITION_BYTES);
  head.writeUInt8(VERSION);
  head.writeBigInt64BE(position, 1);
  return Buffer.concat([head, checkOf(owner, head)]).toString('base64url');
}

/** The position of a cursor; undefined for what is none, or one of another feed. */
export function readCursor(owner: FeedOwner, cursor: string): bigint | undefined {
  if (!isFeedCursor(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const head = bytes.subarray(0, 1 + POSITION_BYTES);
  const isOwn = bytes.subarray(head.length).equals(checkOf(owner, head));
  return isOwn && head.readUInt8() === VERSION ? head.readBigInt64BE(1) : undefined;
}

const checkOf = ({ partnerId, environment }: FeedOwner, head: Buffer): Buffer =>
  createHash('sha256').update(`${partnerId}|${environment}|`).update(head).digest().subarray(0, CHECK_BYTES);
