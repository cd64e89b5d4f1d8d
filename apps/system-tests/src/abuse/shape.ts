import type { Random } from '../storm/random';
import type { Operation } from './operations';

/** What a shape spoils: a sound request of one call. */
export interface SoundCall {
  readonly operation: Operation;
  readonly host: string;
  /** The path with its parameters filled in, without a query. */
  readonly path: string;
  /** Absent when the caller has none. */
  readonly token: string | undefined;
  /** A body that may well be accepted; undefined for a call without one. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly random: Random;
}

/** One kind of hostile request: a name, and the bytes that go over the wire. */
export interface Shape {
  readonly name: string;
  /**
   * `cut`: an edge may close the connection before its response arrives, since it sends more than is read.
   * `hangUp`: its end never comes; the sender closes its side, and is owed no response. Absent: it gets one.
   */
  readonly ending?: 'cut' | 'hangUp';
  readonly bytes: (call: SoundCall) => Buffer;
}

/** What of a request is to be unlike the sound one. */
export interface RequestChange {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Lines added to the sound ones. */
  readonly headers?: readonly string[];
  /** Takes the place of the sound Authorization; null leaves it out. */
  readonly authorization?: string | null;
  readonly type?: string | null;
  readonly body?: string | Buffer;
  /** The body's own framing; by default Content-Length. */
  readonly framing?: readonly string[];
}

/** A request as bytes: sound but for the change. It asks for the connection to be closed, so that its responses have an end. */
export function requestBytes(call: SoundCall, change: RequestChange = {}): Buffer {
  const { operation, host, path, token } = call;
  const body = bodyOf(call, change.body);
  const authorization =
    change.authorization === undefined ? token && `Bearer ${token}` : change.authorization;
  const type = change.type === undefined ? 'application/json' : change.type;
  const framing = change.framing ?? (body ? [`Content-Length: ${body.length}`] : []);
  const lines = [
    `${change.method ?? operation.method} ${change.target ?? path} ${change.version ?? 'HTTP/1.1'}`,
    `Host: ${host}`,
    ...(authorization ? [`Authorization: ${authorization}`] : []),
    ...(body && type ? [`Content-Type: ${type}`] : []),
    ...framing,
    'Connection: close',
    ...(change.headers ?? []),
  ];
  // Bytes above 127 in a line stand for themselves.
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body ? Buffer.concat([head, body]) : head;
}

function bodyOf({ body }: SoundCall, changed: string | Buffer | undefined): Buffer | undefined {
  if (changed === undefined) return body && Buffer.from(JSON.stringify(body));
  return typeof changed === 'string' ? Buffer.from(changed) : changed;
}

/** The sound body as text; {} where the call takes none. */
export const soundText = ({ body }: SoundCall): string => JSON.stringify(body ?? {});
