import { errorEnvelope } from './error-envelope';
import { toErrorResponse } from './errors';
import { OverloadError } from './overload-error';
import { headerList, JSON_HEADERS, type HeaderList } from './security-headers';

/** SERVICE_UNAVAILABLE with a Retry-After, ready but for the request's id. */
interface TurnedAway {
  readonly status: number;
  readonly headers: HeaderList;
  /** The body, before and after the request's id. */
  readonly body: readonly [string, string];
}

const ID = 'REQUEST_ID';
const made = new Map<number, TurnedAway>();

/** The response to those who may come again after so many seconds, made once for all of them. */
export function turnedAway(retryAfterSeconds: number): TurnedAway {
  let response = made.get(retryAfterSeconds);
  if (response) return response;
  const refusal = toErrorResponse(new OverloadError(retryAfterSeconds), ID);
  const [before = '', after = ''] = errorEnvelope(refusal).split(ID);
  const headers = [...JSON_HEADERS, ...headerList(refusal.headers)];
  response = { status: refusal.status, headers, body: [before, after] };
  made.set(retryAfterSeconds, response);
  return response;
}
