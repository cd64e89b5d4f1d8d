import { PartnerRegistered, PartnerUpdated, type Partner } from '@reseller/contracts';
import { withTransaction, type Queryable } from '@reseller/database';
import { decodeEvent, InvalidEventError, requireEventUuid } from '@reseller/errors';
import type { EventHandler } from './dead-letters/dead-letters';
import type { DomainEvent } from './domain-event';
import { handleOnce } from './inbox';

/** Where identity publishes its partners. */
export const PARTNER_TOPIC = 'reseller.identity.partner.v1';

/** What a projection of partners is made of. */
export interface PartnerProjection {
  readonly pool: Parameters<typeof withTransaction>[0];
  /** The consumer group and the inbox's name of it. */
  readonly group: string;
  /** Takes a partner's settings over, unless it has a later version of them. */
  readonly record: (tx: Queryable, partner: Partner) => Promise<void>;
}

/**
 * Takes partners' settings over, each event once and never backwards, so that one may come after those that followed it;
 * later kinds of events on the topic are left alone.
 */
export function createPartnerProjection({ pool, group, record }: PartnerProjection): EventHandler {
  const handler = async (events: DomainEvent[]): Promise<void> => {
    for (const event of events) {
      const read = readPartnerEvent(event);
      if (!read) continue;
      await withTransaction(pool, (tx) =>
        handleOnce(tx, { consumer: group, event }, () => record(tx, read.partner)),
      );
    }
  };
  return { group, handler };
}

const CODECS: Readonly<Record<string, { decode(payload: Uint8Array): PartnerRegistered | PartnerUpdated }>> =
  {
    'reseller.identity.v1.PartnerRegistered': PartnerRegistered,
    'reseller.identity.v1.PartnerUpdated': PartnerUpdated,
  };

/** A partner as an event of identity has it; undefined for later kinds of events. Throws InvalidEventError. */
export function readPartnerEvent({
  type,
  payload,
}: DomainEvent): { partner: Partner; isFrozenWithAncestors: boolean } | undefined {
  const codec = CODECS[type];
  if (!codec) return undefined;
  const { partner, isFrozenWithAncestors } = decodeEvent(type, payload, codec);
  if (!partner) throw new InvalidEventError('RuleBroken', 'the event carries no partner');
  requireEventUuid('partner.id', partner.id);
  for (const ancestor of partner.path) requireEventUuid('partner.path', ancestor);
  return { partner, isFrozenWithAncestors };
}
