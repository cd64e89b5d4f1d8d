import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** A span as a collector gets it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a trace's first. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Trace ids of what it is linked to. */
  readonly links: readonly string[];
}

type Field = Uint8Array | bigint | number;
type Message = Map<number, Field[]>;

/** The spans of an ExportTraceServiceRequest of OTLP 1, read by field number: as independent of the sender as can be. */
export function readSpans(body: Uint8Array): ReceivedSpan[] {
  const spans: ReceivedSpan[] = [];
  for (const resourceSpans of messages(read(body), 1)) {
    const resource = messages(resourceSpans, 1)[0];
    const service = (resource && attributesOf(resource, 1)['service.name']) ?? '';
    for (const scopeSpans of messages(resourceSpans, 2)) {
      for (const span of messages(scopeSpans, 2)) spans.push({ service, ...toSpan(span) });
    }
  }
  return spans;
}

function toSpan(span: Message): Omit<ReceivedSpan, 'service'> {
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentSpanId: hex(span, 4),
    name: text(span, 5),
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map((link) => hex(link, 1)),
  };
}

function attributesOf(message: Message, field: number): Record<string, string> {
  const pairs = messages(message, field).map((pair) => {
    const value = messages(pair, 2)[0];
    const [first] = value?.values() ?? [];
    const raw = first?.[0];
    return [text(pair, 1), raw instanceof Uint8Array ? Buffer.from(raw).toString('utf8') : String(raw)];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

function read(bytes: Uint8Array): Message {
  const reader = new BinaryReader(bytes);
  const message: Message = new Map();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const value = readField(reader, type);
    message.set(field, [...(message.get(field) ?? []), value]);
  }
  return message;
}

function readField(reader: BinaryReader, type: WireType): Field {
  if (type === WireType.LengthDelimited) return reader.bytes();
  if (type === WireType.Bit64) return BigInt(reader.fixed64());
  if (type === WireType.Bit32) return reader.fixed32();
  return BigInt(reader.uint64());
}

const bytesOf = (message: Message, field: number): Uint8Array[] =>
  (message.get(field) ?? []).filter((value): value is Uint8Array => value instanceof Uint8Array);
const messages = (message: Message, field: number): Message[] => bytesOf(message, field).map(read);
const hex = (message: Message, field: number): string =>
  Buffer.from(bytesOf(message, field)[0] ?? []).toString('hex');
const text = (message: Message, field: number): string =>
  Buffer.from(bytesOf(message, field)[0] ?? []).toString('utf8');
