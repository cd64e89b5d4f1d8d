import { afterEach, describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace';
import { continueFrom, currentHeaders, REQUEST_ID } from './headers';
import { inSpan } from './in-span';
import { currentLogFields, withLogFields } from './log-fields';
import { startTracing } from './start-tracing';
import type { Tracing, TracingSettings } from './tracing-settings';

const warnings: object[] = [];
const log = { warn: (fields: object): void => void warnings.push(fields) };
let tracing: Tracing | undefined;
afterEach(async () => {
  await tracing?.stop();
  tracing = undefined;
  warnings.length = 0;
});

async function start(settings: Partial<TracingSettings>): Promise<void> {
  const resource = { 'service.name': 'test' };
  tracing = await startTracing({
    endpoint: 'http://127.0.0.1:9',
    scheduleDelayMs: 10,
    resource,
    log,
    ...settings,
  });
}

/** An exporter that has each batch end like this. */
const ending = (end: SpanExporter['export']): SpanExporter => ({
  export: end,
  shutdown: () => Promise.resolve(),
});

describe('startTracing', () => {
  it('when nobody traces, then headers carry the request id alone', () => {
    withLogFields({ requestId: 'r-1' }, () => expect(currentHeaders()).toEqual({ [REQUEST_ID]: 'r-1' }));
    expect(currentHeaders()).toEqual({});
  });

  it('when the collector refuses every batch, then the work goes on and one line in a while says so', async () => {
    await start({ exporter: ending((_, done) => done({ code: 1, error: new Error('connection refused') })) });
    for (let n = 0; n < 3; n += 1) {
      expect(await inSpan('work', {}, () => Promise.resolve(n))).toBe(n);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await tracing?.stop();
    expect(warnings).toEqual([{ reason: 'connection refused', more: 0 }]);
  });

  it('when the collector never responds, then a stop does not wait for it', async () => {
    await start({ exporter: ending(() => undefined), scheduleDelayMs: 10_000 });
    await inSpan('work', {}, () => Promise.resolve());
    await tracing?.stop();
    expect(warnings).toMatchObject([{ reason: expect.stringMatching(/did not take the last spans/) }]);
  });

  it('when work goes on elsewhere, then it is in the same trace, under the same request id, in its log lines too', async () => {
    const exporter = new InMemorySpanExporter();
    await start({ exporter });
    const headers = await withLogFields({ requestId: 'r-1' }, () =>
      inSpan('request', {}, () => Promise.resolve(currentHeaders())),
    );
    const later = () => inSpan('later', {}, () => Promise.resolve(currentLogFields()));
    const fields = await continueFrom(headers, later, { eventId: 'e-1' });
    const traceId = headers['traceparent']?.split('-')[1];
    expect(fields).toMatchObject({ requestId: 'r-1', eventId: 'e-1', traceId });
    expect(currentLogFields()).toEqual({});
  });

  it('when a ratio of none is requested, then nothing is kept, and what follows from it neither', async () => {
    const exporter = new InMemorySpanExporter();
    await start({ exporter, sampler: 'parentbased_traceidratio', samplerArg: 0 });
    const headers = await inSpan('request', {}, () => Promise.resolve(currentHeaders()));
    expect(headers['traceparent']).toMatch(/-00$/);
    await continueFrom(headers, () => inSpan('later', {}, () => Promise.resolve()));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('when work fails, then its span says the kind of the error and nothing of its text', async () => {
    const exporter = new InMemorySpanExporter();
    await start({ exporter });
    await inSpan('work', {}, () => Promise.reject(new TypeError('password is hunter2'))).catch(
      () => undefined,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [span] = exporter.getFinishedSpans();
    expect(span?.status.message).toBe('TypeError');
    expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toContain('hunter2');
  });
});
