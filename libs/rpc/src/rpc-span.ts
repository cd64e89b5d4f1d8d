import type { Metadata } from '@grpc/grpc-js';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type TextMapGetter,
} from '@opentelemetry/api';

const tracer = trace.getTracer('@reseller/rpc');

const getter: TextMapGetter<Metadata> = {
  get: (carrier, key) => {
    const value = carrier.get(key)[0];
    return typeof value === 'string' ? value : undefined;
  },
  keys: (carrier) => Object.keys(carrier.getMap()),
};

/** The span of one served call; it costs next to nothing while no tracing SDK is registered. */
export interface CallSpan {
  run<T>(work: () => Promise<T>): Promise<T>;
  end(code: string): void;
}

/** Starts the span of a served call as the child of the caller's. */
export function startServerSpan(path: string, metadata: Metadata): CallSpan {
  const parent = propagation.extract(ROOT_CONTEXT, metadata, getter);
  const span = tracer.startSpan(path.slice(1), { kind: SpanKind.SERVER }, parent);
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (code) => {
      span.setAttribute('reseller.code', code);
      if (code !== 'OK') span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      span.end();
    },
  };
}
