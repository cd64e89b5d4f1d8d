import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpanContextValid, trace } from '@opentelemetry/api';

/** What every log line of one piece of work says, beside its own fields. */
export type LogFields = Readonly<Record<string, string | undefined>>;

const carried = new AsyncLocalStorage<LogFields>();

/** Runs work whose log lines carry these fields, and those around it, wherever they are written. */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  const outer = carried.getStore();
  return carried.run(outer ? { ...outer, ...fields } : fields, work);
}

/** The request id of the work under way; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return carried.getStore()?.['requestId'];
}

/** A copy of the fields of the work under way, with the ids of the span around it where there is one. */
export function currentLogFields(): Record<string, string | undefined> {
  const fields = { ...carried.getStore() };
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !isSpanContextValid(span)) return fields;
  return { ...fields, traceId: span.traceId, spanId: span.spanId };
}
