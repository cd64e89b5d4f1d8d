import { context, diag, DiagLogLevel, propagation, trace, type DiagLogger } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Tracing, TracingLog, TracingSettings } from './tracing-settings';

const EXPORT_TIMEOUT_MS = 5_000;
/** A stop waits no longer for a collector that does not respond. */
const FLUSH_MS = 2_000;
/** About 8 MiB of spans at most while the collector is away; more are dropped. */
const MOST_WAITING = 8_192;
const QUIET_MS = 60_000;

/** Registers context, propagation and spans with the OpenTelemetry API of this process. */
export function startSdk(settings: TracingSettings): Tracing {
  const report = reporter(settings.log);
  // The SDK reports what it could not send here, and to nobody else: a request never hears of it.
  setGlobalErrorHandler(report);
  diag.setLogger(diagLogger(report), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter =
    settings.exporter ??
    new OTLPTraceExporter({
      url: `${settings.endpoint.replace(/\/+$/, '')}/v1/traces`,
      timeoutMillis: EXPORT_TIMEOUT_MS,
    });
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    // OTEL_RESOURCE_ATTRIBUTES has the last word.
    resource: defaultResource()
      .merge(resourceFromAttributes(settings.resource))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MOST_WAITING,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        ...(settings.scheduleDelayMs !== undefined && { scheduledDelayMillis: settings.scheduleDelayMs }),
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    async stop() {
      await within(FLUSH_MS, provider.shutdown()).catch(report);
      trace.disable();
      propagation.disable();
      context.disable();
      diag.disable();
    },
  };
}

const ROOT_SAMPLERS: Readonly<Record<string, (share: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share),
};

function samplerOf({ sampler = 'parentbased_always_on', samplerArg = 1 }: TracingSettings): Sampler {
  const root = ROOT_SAMPLERS[sampler.replace(/^parentbased_/, '')]?.(samplerArg) ?? new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

// A collector that is away fails every batch in the same way: one line a minute, with what was kept back.
function reporter(log: TracingLog): (error: unknown) => void {
  let quietUntil = 0;
  let keptBack = 0;
  return (error) => {
    const now = performance.now();
    if (now < quietUntil) {
      keptBack += 1;
      return;
    }
    quietUntil = now + QUIET_MS;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason, more: keptBack }, 'spans could not be sent to the collector');
    keptBack = 0;
  };
}

function diagLogger(report: (error: unknown) => void): DiagLogger {
  const silent = (): void => undefined;
  return { error: report, warn: report, info: silent, debug: silent, verbose: silent };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the collector did not take the last spans in ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
