import {
  context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { isTracing } from './start-tracing';

/** How a span begins; a child of the one around it by default. */
interface SpanOptions {
  readonly kind?: SpanKind;
  /** Never a secret, a body, an address of a person or a query: spans leave the platform as they are. */
  readonly attributes?: Attributes;
  /** What else it has to do with. */
  readonly links?: readonly (SpanContext | undefined)[];
  /** Begins a trace of its own. */
  readonly isRoot?: boolean;
  /** The context it is a child in, where that is not the active one. */
  readonly within?: Context;
}

// What a process that does not trace has in the place of every span.
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Starts a span that its caller ends; without a tracing SDK it costs next to nothing. */
export function startSpan(name: string, options: SpanOptions = {}): Span {
  if (!isTracing()) return NO_SPAN;
  const { kind = SpanKind.INTERNAL, attributes, isRoot = false } = options;
  const links = (options.links ?? []).flatMap((link) => (link ? [{ context: link }] : []));
  const own = { kind, links, root: isRoot, ...(attributes && { attributes }) };
  // Requested each time: a tracer kept from before would go on with an SDK that has ended.
  return trace.getTracer('reseller').startSpan(name, own, parentOf(options));
}

function parentOf({ isRoot, within }: SpanOptions): Context {
  return isRoot ? ROOT_CONTEXT : (within ?? context.active());
}

/** Runs work within a span, which ends with it; a rejection marks it by the error's kind, never by its text. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work(NO_SPAN);
  const span = startSpan(name, options);
  const inside = trace.setSpan(parentOf(options), span);
  try {
    return await context.with(inside, work, undefined, span);
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Marks a span by the code or class of an error. */
export function markFailed(span: Span, error: unknown): void {
  const kind = kindOf(error);
  span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR, message: kind });
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
