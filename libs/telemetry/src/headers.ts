import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { currentRequestId, withLogFields, type LogFields } from './log-fields';

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

/** Goes on with work that began elsewhere: in its trace, and with its request id and what else is given in each log line. */
export function continueFrom<T>(
  headers: Readonly<Headers> | null | undefined,
  work: () => T,
  fields: LogFields = {},
): T {
  return context.with(contextOf(headers), () =>
    withLogFields({ requestId: headers?.[REQUEST_ID], ...fields }, work),
  );
}

/** The span that headers name; undefined when they name none. */
export function spanOf(headers: Readonly<Headers> | null | undefined): SpanContext | undefined {
  return headers ? trace.getSpanContext(contextOf(headers)) : undefined;
}

/** The context in which children of what headers name are begun. */
export function contextOf(headers: Readonly<Headers> | null | undefined): Context {
  return propagation.extract(ROOT_CONTEXT, headers ?? {});
}

/** These headers, with a span in the place of the one they name. */
export function headersWithin(span: Span, headers: Readonly<Headers>): Headers {
  const within: Headers = { ...headers };
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), within);
  return within;
}
