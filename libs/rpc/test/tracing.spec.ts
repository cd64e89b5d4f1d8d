import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { propagation, trace, type Span, type SpanContext } from '@opentelemetry/api';
import { AppError } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import { aCall, closeEchoes, connectEcho, startEcho } from './echo';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const ended: { name: string; parent: string | undefined; code: unknown }[] = [];
let spans = 0;

// The least of a tracing SDK: spans with ids, and their context carried in one header.
trace.setGlobalTracerProvider({
  getTracer: () =>
    ({
      startSpan: (
        name: string,
        _options: unknown,
        within: Parameters<typeof trace.getSpanContext>[0] | undefined,
      ) => {
        spans += 1;
        const own: SpanContext = {
          traceId: TRACE_ID,
          spanId: String(spans).padStart(16, '0'),
          traceFlags: 1,
        };
        const parent = within && trace.getSpanContext(within)?.spanId;
        let code: unknown;
        const span: Partial<Span> = {
          spanContext: () => own,
          setAttribute: (_key, value) => ((code = value), span as Span),
          setStatus: () => span as Span,
          end: () => void ended.push({ name, parent, code }),
        };
        return span as Span;
      },
    }) as ReturnType<typeof trace.getTracer>,
});
propagation.setGlobalPropagator({
  inject: (within, carrier, setter) =>
    setter.set(carrier, 'traceparent', trace.getSpanContext(within)?.spanId ?? ''),
  extract: (within, carrier, getter) => {
    const spanId = String(getter.get(carrier, 'traceparent'));
    return trace.setSpanContext(within, { traceId: TRACE_ID, spanId, traceFlags: 1 });
  },
  fields: () => ['traceparent'],
});

afterEach(closeEchoes);
afterAll(() => {
  trace.disable();
  propagation.disable();
});

describe('tracing', () => {
  it('when a tracing SDK is registered, then the served call’s span is a child of the caller’s, and both carry the code', async () => {
    const { port } = await startEcho(() => Promise.reject(new AppError('NOT_FOUND_ORDER')));
    await connectEcho(port)
      .say({ text: 'x' }, aCall)
      .catch(() => undefined);
    const name = 'reseller.test.v1.EchoService/Say';
    await eventually(() => expect(ended).toHaveLength(2));
    expect(ended).toEqual([
      { name, parent: '0000000000000001', code: 'NOT_FOUND_ORDER' },
      { name, parent: undefined, code: 'NOT_FOUND_ORDER' },
    ]);
  });
});
