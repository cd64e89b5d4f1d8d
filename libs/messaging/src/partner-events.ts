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
      const partner = partnerOf(event);
      if (!partner) continue;
      await withTransaction(pool, (tx) =>
        handleOnce(tx, { consumer: group, event }, () => record(tx, partner)),
      );
    }
  };
  return { group, handler };
}

const CODECS: Readonly<Record<string, { decode(payload: Uint8Array): { partner: Partner | undefined } }>> = {
  'reseller.identity.v1.PartnerRegistered': PartnerRegistered,
  'reseller.identity.v1.PartnerUpdated': PartnerUpdated,
};

function partnerOf({ type, payload }: DomainEvent): Partner | undefined {
  const codec = CODECS[type];
  if (!codec) return undefined;
  const { partner } = decodeEvent(type, payload, codec);
  if (!partner) throw new InvalidEventError('RuleBroken', 'the event carries no partner');
  requireEventUuid('partner.id', partner.id);
  for (const ancestor of partner.path) requireEventUuid('partner.path', ancestor);
  return partner;
}
