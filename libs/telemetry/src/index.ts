export { contextOf, continueFrom, currentHeaders, headersWithin, REQUEST_ID, spanOf } from './headers';
export type { Headers } from './headers';
export { inSpan, markFailed, startSpan } from './in-span';
export { currentLogFields, currentRequestId, withLogFields } from './log-fields';
export { scrub } from './scrub';
export { isTracing, startTracing } from './start-tracing';
export type { Tracing, TracingLog, TracingSettings } from './tracing-settings';
