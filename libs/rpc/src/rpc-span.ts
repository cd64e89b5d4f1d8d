import type { CallHeaders, ReadMetadata } from './call-metadata';
import { splitPath } from './definition';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api';

const tracer = trace.getTracer('@reseller/rpc');

const getter: TextMapGetter<ReadMetadata> = {
  get: (carrier, key) => {
    const value = carrier.get(key)[0];
    return typeof value === 'string' ? value : undefined;
  },
  keys: (carrier) => Object.keys(carrier.getMap()),
};

const setter: TextMapSetter<CallHeaders> = { set: (carrier, key, value) => void (carrier[key] = value) };

/** The span of one call; it costs next to nothing while no tracing SDK is registered. */
interface CallSpan {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Ends it with a code of the catalogue, or OK. */
  end(code: string): void;
}

/** Starts the span of a served call as the child of the caller's. */
export function startServerSpan(path: string, metadata: ReadMetadata): CallSpan {
  const parent = propagation.extract(ROOT_CONTEXT, metadata, getter);
  const span = tracer.startSpan(
    path.slice(1),
    { kind: SpanKind.SERVER, attributes: attributesOf(path) },
    parent,
  );
  return callSpan(span, trace.setSpan(parent, span));
}

/** Starts the span of an outgoing call and writes its trace context into the headers. */
export function startClientSpan(path: string, headers: CallHeaders): CallSpan {
  const span = tracer.startSpan(path.slice(1), {
    kind: SpanKind.CLIENT,
    attributes: attributesOf(path),
  });
  const inside = trace.setSpan(context.active(), span);
  propagation.inject(inside, headers, setter);
  return callSpan(span, inside);
}

// Worked out once for each method.
const attributes = new Map<string, Attributes>();

function attributesOf(path: string): Attributes {
  let known = attributes.get(path);
  if (!known) {
    const { service, method } = splitPath(path);
    known = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
    attributes.set(path, known);
  }
  return known;
}

function callSpan(span: Span, inside: Context): CallSpan {
  return {
    run: (work) => context.with(inside, work),
    end: (code) => {
      span.setAttribute('reseller.code', code);
      if (code !== 'OK') span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      span.end();
    },
  };
}
