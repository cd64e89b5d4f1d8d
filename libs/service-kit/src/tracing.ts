import { startTracing, type Tracing } from '@reseller/telemetry';
import { randomUUID } from 'node:crypto';
import type { BaseConfig } from './config';
import type { Logger } from './logger';

/** Begins to trace when a collector is named; undefined, and nothing is loaded, when there is none. */
export async function startTracingOf(
  name: string,
  config: BaseConfig,
  log: Pick<Logger, 'warn'>,
): Promise<Tracing | undefined> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampler: config.OTEL_TRACES_SAMPLER,
    samplerArg: config.OTEL_TRACES_SAMPLER_ARG,
    scheduleDelayMs: config.OTEL_BSP_SCHEDULE_DELAY,
    resource: {
      'service.name': config.OTEL_SERVICE_NAME ?? name,
      'service.instance.id': randomUUID(),
      'deployment.environment.name': config.DEPLOYMENT_ENVIRONMENT ?? config.NODE_ENV,
      ...(config.SERVICE_VERSION !== undefined && { 'service.version': config.SERVICE_VERSION }),
    },
    log,
  });
}
