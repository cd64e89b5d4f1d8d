/** The service whose entries these are; each has a chain of its own (spec §18.4). */
export const AUDIT_SERVICE = 'identity';

/** An entry as it is recorded. */
export interface RecordedEntry {
  readonly id: string;
  readonly actorType: 'partner' | 'operator';
  readonly actingPartnerId: string | null;
  readonly actingClientId: string | null;
  readonly operator: string | null;
  readonly partnerId: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly requestId: string;
  readonly occurredAt: Date;
  /** A JSON object as text. */
  readonly details: string;
}

/** Where an entry stands in the chain. */
export interface ChainLink {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The hash of the entry before it. */
  readonly previousHash: string;
  readonly hash: string;
}

/** An entry as stored. */
export type AuditRecord = RecordedEntry & ChainLink;

/** An entry's details that say nothing. */
export const NO_DETAILS = '{}';
