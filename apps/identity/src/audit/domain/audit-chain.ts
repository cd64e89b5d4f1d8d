import canonicalize from 'canonicalize';
import { hash } from 'node:crypto';
import { AUDIT_SERVICE, NO_DETAILS, type ChainLink, type RecordedEntry } from './audit-entry';

/** The end of the chain, after which the next entry is linked. */
type ChainHead = Pick<ChainLink, 'sequence' | 'hash'>;

const ACTOR_NAMES = { partner: 'Partner', operator: 'Operator' } as const;

/**
 * Links entries after a head, in their order (spec §18.4). The hash is the SHA-256 of the entry as RFC 8785 JSON, as the operators'
 * API presents it but for the hash itself, so that whoever has an export can compute it anew.
 */
export function linkAfter<Entry extends RecordedEntry>(
  head: ChainHead,
  entries: readonly Entry[],
): (Entry & ChainLink)[] {
  let { sequence, hash: previousHash } = head;
  return entries.map((entry) => {
    sequence += 1;
    const json = canonicalize(presented(entry, sequence, previousHash)) ?? '';
    const link = { sequence, previousHash, hash: hash('sha256', json, 'hex') };
    previousHash = link.hash;
    return { ...entry, ...link };
  });
}

// Field by field: what is hashed is what the contract names, whatever else a record may hold.
function presented(entry: RecordedEntry, sequence: number, previousHash: string): Record<string, unknown> {
  return {
    id: entry.id,
    occurredAt: entry.occurredAt.toISOString(),
    actorType: ACTOR_NAMES[entry.actorType],
    operator: entry.operator,
    actingPartnerId: entry.actingPartnerId,
    actingClientId: entry.actingClientId,
    partnerId: entry.partnerId,
    action: entry.action,
    subject: entry.subject,
    requestId: entry.requestId,
    details: entry.details === NO_DETAILS ? null : (JSON.parse(entry.details) as unknown),
    service: AUDIT_SERVICE,
    sequence,
    previousHash,
  };
}
