import { context, propagation, ROOT_CONTEXT, trace, type SpanContext } from '@opentelemetry/api';
import { currentRequestId, withLogFields } from './log-fields';

/** What goes along with an event, a saga or a delivery: W3C trace context and the id of the request that began it. */
export type Headers = Record<string, string>;

/** The header that holds the request id. */
export const REQUEST_ID = 'request-id';

/** The headers of the work under way; empty outside of any. */
export function currentHeaders(): Headers {
  const headers: Headers = {};
  const requestId = currentRequestId();
  if (requestId !== undefined) headers[REQUEST_ID] = requestId;
  propagation.inject(context.active(), headers);
  return headers;
}

/** Goes on with work that began elsewhere: in its trace, and with its request id in each log line. */
export function continueFrom<T>(headers: Readonly<Headers> | null | undefined, work: () => T): T {
  const parent = propagation.extract(ROOT_CONTEXT, headers ?? {});
  return context.with(parent, () => withLogFields({ requestId: headers?.[REQUEST_ID] }, work));
}

/** The span that headers name; undefined when they name none. */
export function spanOf(headers: Readonly<Headers> | null | undefined): SpanContext | undefined {
  return headers ? trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers)) : undefined;
}
