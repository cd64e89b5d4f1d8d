import { parseResponses } from './parse-responses';
import type { WireResponse } from './parse-responses';
import type { Reply } from './wire';

/** The largest response that is an error (spec §14.1). */
export const LARGEST_ERROR_BYTES = 32 * 1024;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Which promise a response breaks. */
export type Rule = 'no 5xx' | 'size' | 'envelope' | 'X-Request-Id' | 'Retry-After' | 'a response';

/** A promise that a response broke, and how. */
export interface Fault {
  readonly rule: Rule;
  readonly text: string;
}

/** What was found in one reply: its statuses, and what of it breaks the rules. */
interface Finding {
  readonly statuses: readonly number[];
  readonly largestError: number;
  readonly faults: readonly Fault[];
}

/** Holds a reply to what is promised of every response, whatever was sent; `isOwed` says whether there must be one. */
export function judge(reply: Reply, { isHead, isOwed }: { isHead: boolean; isOwed: boolean }): Finding {
  try {
    const { responses, left } = parseResponses(reply.bytes, isHead);
    const faults = responses.flatMap((response) => judgeResponse(response, isHead));
    const broken = (text: string): void => void faults.push({ rule: 'a response', text });
    if (reply.end === 'timeout') broken('the connection hangs');
    if (left > 0 && isOwed) broken(`${left} bytes are no whole response`);
    if (responses.length === 0 && isOwed) broken(`closed without a response (${reply.end})`);
    const errors = responses.filter(({ status }) => status >= 400);
    return {
      statuses: responses.map(({ status }) => status),
      largestError: Math.max(0, ...errors.map(({ body }) => Buffer.byteLength(body))),
      faults,
    };
  } catch (error) {
    return {
      statuses: [],
      largestError: 0,
      faults: [{ rule: 'a response', text: `no HTTP: ${String(error)}` }],
    };
  }
}

/** What of one response must not be (spec §1.2, §1.3, §14.1). */
function judgeResponse({ status, headers, body }: WireResponse, isHead: boolean): Fault[] {
  const faults: Fault[] = [];
  const check = (rule: Rule, isKept: boolean): void => {
    if (!isKept) faults.push({ rule, text: `${status} ${body.slice(0, 200)}` });
  };
  const requestId = headers['x-request-id'];
  const waits = Number(headers['retry-after']) > 0;
  check('X-Request-Id', REQUEST_ID.test(requestId ?? ''));
  if (status < 400) return faults;
  check('no 5xx', status < 500 || status === 503);
  check('Retry-After', (status !== 503 && status !== 429) || waits);
  check('size', Buffer.byteLength(body) <= LARGEST_ERROR_BYTES);
  check('envelope', isHead || isEnvelope(body, requestId));
  return faults;
}

interface Envelope {
  readonly state?: unknown;
  readonly payload?: unknown;
  readonly details?: { readonly message?: unknown; readonly requestId?: unknown };
}

function isEnvelope(body: string, requestId: string | undefined): boolean {
  let envelope: Envelope | null;
  try {
    envelope = JSON.parse(body) as Envelope | null;
  } catch {
    return false;
  }
  return (
    typeof envelope?.state === 'string' &&
    /^[A-Z_]+$/.test(envelope.state) &&
    envelope.payload === null &&
    typeof envelope.details?.message === 'string' &&
    envelope.details.requestId === requestId
  );
}
