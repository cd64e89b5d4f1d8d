import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { readSpans, type ReceivedSpan } from './read-spans';

/** The least of an OTLP/HTTP collector: it takes protobuf at /v1/traces and keeps the spans. */
export interface OtlpCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** The trace whose first span served this request. */
  traceOf(requestId: string): ReceivedSpan[];
  stop(): Promise<void>;
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url !== '/v1/traces') return void response.writeHead(404).end();
      const body = Buffer.concat(chunks);
      spans.push(...readSpans(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    traceOf(requestId) {
      const first = spans.find(({ attributes }) => attributes['reseller.request_id'] === requestId);
      return spans.filter(({ traceId }) => traceId === first?.traceId);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What keeps spans from being one tree: roots beside the first, and parents that never came. */
export function faultsOfTree(spans: readonly ReceivedSpan[]): string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === '');
  const orphans = spans.filter(({ parentSpanId }) => parentSpanId !== '' && !known.has(parentSpanId));
  return [
    ...(roots.length === 1 ? [] : [`${roots.length} roots: ${roots.map(({ name }) => name).join(', ')}`]),
    ...orphans.map(({ service, name }) => `${service}: ${name} has a parent that nobody sent`),
  ];
}
