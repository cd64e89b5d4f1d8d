import { createHash } from 'node:crypto';
import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import type { DomainEvent } from '../domain-event';
import type { StoredEvent } from '../partition-store';

/** Headers of a message that are the event's own fields; all others are the event's headers, unchanged. */
const FIELDS = {
  eventId: 'reseller-event-id',
  type: 'reseller-event-type',
  aggregateSeq: 'reseller-aggregate-seq',
  occurredAt: 'reseller-occurred-at',
} as const;
const FIELD_NAMES = new Set<string>(Object.values(FIELDS));
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SEQUENCE = /^\d{1,18}$/;

/** The message of an event: its aggregate is the key, its payload the value. */
export function toMessage(event: DomainEvent): Message {
  return {
    key: event.aggregateId,
    value: Buffer.from(event.payload),
    headers: {
      ...event.headers,
      [FIELDS.eventId]: event.eventId,
      [FIELDS.type]: event.type,
      [FIELDS.aggregateSeq]: event.aggregateSeq,
      [FIELDS.occurredAt]: event.occurredAt.toISOString(),
    },
  };
}

/** About how many bytes the event takes on the wire. */
export function sizeOf(event: DomainEvent): number {
  let size = 200 + event.payload.length + event.aggregateId.length + event.type.length;
  for (const [name, value] of Object.entries(event.headers)) size += name.length + value.length + 4;
  return size;
}

/**
 * The event of a message. One that another program wrote, without the fields or with others than ours, becomes an event
 * without a type, under an id that follows from its place: handlers pass over it, and it holds nothing up.
 */
export function toEvent(place: { topic: string; partition: number }, message: KafkaMessage): StoredEvent {
  const { [FIELDS.eventId]: eventId, ...rest } = textsOf(message.headers);
  const at = new Date(rest[FIELDS.occurredAt] ?? Number(message.timestamp));
  const aggregateSeq = rest[FIELDS.aggregateSeq] ?? '';
  const isOurs = UUID.test(eventId ?? '') && SEQUENCE.test(aggregateSeq);
  return {
    offset: message.offset,
    topic: place.topic,
    eventId: isOurs && eventId ? eventId : idOf(`${place.topic}/${place.partition}/${message.offset}`),
    type: isOurs ? (rest[FIELDS.type] ?? '') : '',
    aggregateId: textOf(message.key ?? ''),
    aggregateSeq: isOurs ? aggregateSeq : '0',
    occurredAt: Number.isNaN(at.getTime()) ? new Date(0) : at,
    payload: message.value ?? Buffer.alloc(0),
    headers: Object.fromEntries(Object.entries(rest).filter(([name]) => !FIELD_NAMES.has(name))),
  };
}

function textsOf(headers: IHeaders = {}): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const one = Array.isArray(value) ? value[0] : value;
    if (one !== undefined) texts[textOf(name)] = textOf(one);
  }
  return texts;
}

/** PostgreSQL's text holds every character but this one. */
function textOf(value: Buffer | string): string {
  return value.toString().replaceAll('\0', '');
}

function idOf(place: string): string {
  const hex = createHash('sha256').update(place).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** How far a group is in a partition beside the offset; it travels as the metadata of the committed offset. */
export interface Progress {
  /** Attempts at the next event, the present one included; 0 when none has begun. */
  attempts: number;
  /** Up to here events come one by one, since an attempt at them failed or ended its process. */
  carefulUntil: bigint;
}

/** The metadata of a committed offset. */
export function toMetadata({ attempts, carefulUntil }: Progress): string {
  return `attempts=${attempts};careful-until=${carefulUntil}`;
}

/** Reads the metadata back; that of another program, or none, counts as no attempt. */
export function fromMetadata(metadata: string | null): Progress {
  const [, attempts, carefulUntil] =
    /^attempts=(\d{1,9});careful-until=(\d{1,19})$/.exec(metadata ?? '') ?? [];
  return { attempts: Number(attempts ?? 0), carefulUntil: BigInt(carefulUntil ?? 0) };
}
