import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** How a process traces. */
export interface TracingSettings {
  /** The base address of an OTLP/HTTP collector; spans go to /v1/traces under it. */
  readonly endpoint: string;
  /** Of the standard OTEL_TRACES_SAMPLER; parentbased_always_on by default. */
  readonly sampler?: string | undefined;
  /** The share of traces that a ratio sampler keeps, from 0 to 1. */
  readonly samplerArg?: number | undefined;
  /** Milliseconds between two batches. */
  readonly scheduleDelayMs?: number | undefined;
  readonly resource: Readonly<Record<string, string>>;
  readonly log: TracingLog;
  /** For tests, instead of OTLP. */
  readonly exporter?: SpanExporter;
}

/** The part of a logger that tracing writes to. */
export interface TracingLog {
  warn(fields: object, message: string): void;
}

/** Tracing under way. */
export interface Tracing {
  /** Sends what is waiting, within two seconds, and ends; never rejects. */
  stop(): Promise<void>;
}
