/** One thing that has happened; aggregateSeq counts from 1 without gaps within the aggregate. */
export interface DomainEvent {
  eventId: string;
  /** For example reseller.orders.order.v1. */
  topic: string;
  /** The payload's message, for example reseller.orders.v1.OrderCompleted. */
  type: string;
  /** Also the key: events of one aggregate reach a group in order. */
  aggregateId: string;
  aggregateSeq: string;
  occurredAt: Date;
  payload: Buffer;
  headers: Record<string, string>;
}
