/** The method that carries several calls at once; it is between the two ends of this library and in no contract. */
export const GATHERED_PATH = '/reseller.rpc.v1.GatheredCalls/Send';

/** A call in a frame: its number in its stream, path, time left, the length of its request, and its headers. */
type FramedCall = readonly [
  id: number,
  path: string,
  timeoutMs: number,
  length: number,
  headers: Readonly<Record<string, string>>,
];

/** A result in a frame; its bytes are the response, or the error's trailer where the code is not OK. */
export type FramedResult = readonly [
  id: number,
  code: number,
  length: number,
  queuedMs: number | null,
  details: string | null,
  pushback: string | null,
];

/** From a client: calls in its stream's first frame, the numbers of those nobody waits for in later ones. */
export interface CallFrame {
  readonly calls?: readonly FramedCall[];
  readonly cancelled?: readonly number[];
}

/** From a server. */
export interface ResultFrame {
  readonly results: readonly FramedResult[];
}

const LENGTH_BYTES = 4;

/** A frame as bytes: the length of its head, the head as JSON, and then the parts whose lengths are in the head. */
export function encodeFrame(head: CallFrame | ResultFrame, parts: readonly Uint8Array[]): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, ...parts]);
}

/** Reads a frame; throws when it is none. `take` hands out its parts in their order. */
export function decodeFrame<F extends CallFrame | ResultFrame>(
  bytes: Buffer,
): { head: F; take(length: number): Buffer } {
  let at = LENGTH_BYTES + bytes.readUInt32BE();
  const head = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, at)) as F;
  return {
    head,
    take(length) {
      const part = bytes.subarray(at, (at += length));
      if (part.length !== length) throw new RangeError('a frame is shorter than its head says');
      return part;
    },
  };
}
