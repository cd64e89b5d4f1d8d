import type { IncomingMessage } from 'node:http';
import { context, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { isTracing, spanOf, startSpan, withLogFields } from '@reseller/telemetry';

/** Runs the work on a request within its span, where spans are made, and with its id in every log line; the span is ended by endRequestSpan. */
export function runInRequestSpan<T>(
  request: IncomingMessage,
  requestId: string,
  work: (span: Span | undefined) => T,
): T {
  if (!isTracing()) return withLogFields({ requestId }, () => work(undefined));
  const { traceparent, tracestate } = request.headers;
  // A caller's trace is linked and not continued: whether ours is kept is not a partner's to say.
  const theirs =
    typeof traceparent === 'string'
      ? spanOf({ traceparent, ...(typeof tracestate === 'string' && { tracestate }) })
      : undefined;
  const span = startSpan(request.method ?? 'GET', {
    kind: SpanKind.SERVER,
    isRoot: true,
    links: [theirs],
    attributes: { 'reseller.request_id': requestId },
  });
  return context.with(trace.setSpan(context.active(), span), () =>
    withLogFields({ requestId }, () => work(span)),
  );
}

/** Ends a request's span under its route pattern: no path, query or body is in it. */
export function endRequestSpan(span: Span | undefined, method: string, route: string, status: number): void {
  if (!span?.isRecording()) return;
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
