/** One response as it came over the wire. */
export interface WireResponse {
  readonly status: number;
  /** By their names in small letters; the last of several. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Head {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly bodyAt: number;
}

const LINE = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/;

/** Reads a response's head; undefined when it is not whole. Throws on what is no HTTP. */
function readHead(bytes: Buffer, from: number): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n', from);
  if (end === -1) return undefined;
  const [line = '', ...fields] = bytes.toString('latin1', from, end).split('\r\n');
  const status = LINE.exec(line)?.[1];
  if (!status) throw new Error(`no status line: ${line.slice(0, 80)}`);
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(':');
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim();
  }
  return { status: Number(status), headers, bodyAt: end + 4 };
}

/** A chunked body and where it ends; undefined when it is not whole. */
function readChunks(bytes: Buffer, from: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const next = line + 2 + size + 2;
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = next;
  }
}

function readBody(
  { status, headers, bodyAt }: Head,
  bytes: Buffer,
  isHead: boolean,
): { body: Buffer; end: number } | undefined {
  if (isHead || status < 200 || status === 204 || status === 304)
    return { body: Buffer.alloc(0), end: bodyAt };
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, bodyAt);
  const end =
    headers['content-length'] === undefined ? bytes.length : bodyAt + Number(headers['content-length']);
  return end > bytes.length ? undefined : { body: bytes.subarray(bodyAt, end), end };
}

/**
 * All whole responses in what a connection sent, without those below 200, and how many bytes are left over: part of a response,
 * or of none. Throws on what is no HTTP.
 */
export function parseResponses(bytes: Buffer, isHead: boolean): { responses: WireResponse[]; left: number } {
  const responses: WireResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = readHead(bytes, at);
    const read = head && readBody(head, bytes, isHead);
    if (!head || !read) break;
    if (head.status >= 200)
      responses.push({ status: head.status, headers: head.headers, body: read.body.toString() });
    at = read.end;
  }
  return { responses, left: bytes.length - at };
}
