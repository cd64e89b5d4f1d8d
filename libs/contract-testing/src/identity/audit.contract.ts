import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { during } from '../actor';
import { operatorRpc, rpc, service, type Message } from '../contract';
import type { Caller } from '../party';
import type { World } from '../world';
import { family } from './arrange';

const HASH: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

const byOperator = (more: Message = {}): Message => ({
  entry_id: uuidv7(),
  actor_type: 'ACTOR_TYPE_OPERATOR',
  operator: 'Olga',
  action: 'wallet.credit',
  request_id: 'contract',
  details_json: '{"amount":"10.00"}',
  ...more,
});

const byPartner = (acting: string): Message => ({
  entry_id: uuidv7(),
  actor_type: 'ACTOR_TYPE_PARTNER',
  acting_partner_id: acting,
  acting_client_id: 'client',
  action: 'POST /api/v1/orders/topup',
  request_id: 'contract',
  details_json: '',
  partner_id: uuidv7(),
});

/** As the edges do: who acted is the one of the call's metadata. */
const callerOf = ({ acting_partner_id, partner_id }: Message): Caller =>
  acting_partner_id === undefined
    ? { 'x-operator': 'Olga' }
    : {
        'x-partner-id': String(partner_id),
        'x-environment': 'live',
        'x-client-id': 'client',
        'x-acting-partner-id': String(acting_partner_id),
        'x-acting-client-id': 'client',
      };

const onto = ({ id }: Message): Message => ({
  ...byPartner(uuidv7()),
  acting_partner_id: undefined,
  acting_client_id: undefined,
  partner_id: id,
});

const ownTokenOf = ({ id }: Message): Caller => ({
  'x-partner-id': String(id),
  'x-environment': 'live',
  'x-client-id': 'client',
});

async function record(world: World, request: Message): Promise<Message> {
  const { entry } = await world.call('RecordAuditEntry', request, callerOf(request));
  return entry as Message;
}

/** The append-only record of who did what as whom. */
export const audit = service('AuditService', {
  RecordAuditEntry: operatorRpc((world) => [world, byOperator()], {
    'keeps the entry as it was given, with its time': async (use) => {
      for (const request of [byOperator({ partner_id: uuidv7(), subject: 'ORD-1' }), byPartner(uuidv7())]) {
        const { entry_id: id, ...fields } = request;
        const entry = await record(use, request);
        const link = { service: 'identity', sequence: expect.anything(), previous_hash: HASH, hash: HASH };
        expect(entry).toEqual({ ...fields, id, occurred_at: expect.any(String), ...link });
      }
    },
    'repeated under its id, also with other values, it returns the first entry': [{}, { action: 'another' }],
    'takes who acted from the call’s metadata, whatever the request says': async (use) => {
      const forged = { ...byPartner(uuidv7()), acting_partner_id: undefined };
      const [acting, partner_id] = [uuidv7(), uuidv7()];
      const { entry } = await use.call(use.rpc, forged, callerOf({ acting_partner_id: acting, partner_id }));
      expect(entry).toMatchObject({ acting_partner_id: acting, acting_client_id: 'client', partner_id });
    },
    'keeps what a partner did to one below it by its own token': async (use) => {
      const [parent, child] = await family(use);
      const { entry } = await use.call(use.rpc, onto(child), ownTokenOf(parent));
      const acting = { acting_partner_id: parent.id, acting_client_id: 'client' };
      expect(entry).toMatchObject({ ...acting, partner_id: child.id });
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: what it did to one that is not below it': async (use) => {
      const [parent, child] = await family(use);
      return use.call(use.rpc, onto(parent), ownTokenOf(child));
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: what it did to itself': async (use) => {
      const [parent] = await family(use);
      return use.call(use.rpc, onto(parent), ownTokenOf(parent));
    },
    'VALIDATION_FAILED: an id that is no UUID': { entry_id: 'one' },
    'VALIDATION_FAILED: no actor': { actor_type: 'ACTOR_TYPE_UNSPECIFIED' },
    'VALIDATION_FAILED: details that are no JSON object': { details_json: '[]' },
  }),
  ListAuditEntries: rpc((world) => [world], {
    'lists newest first, page by page, what a partner did or was acted for': async (use) => {
      const partner_id = uuidv7();
      const entries = [
        await record(use, byPartner(partner_id)),
        await record(use, byOperator({ partner_id })),
        await record(use, byOperator({ partner_id })),
      ];
      await record(use, byOperator({ partner_id: uuidv7() }));
      expect(await use.pages(use.rpc, { partner_id })).toEqual(entries.reverse());
    },
    'keeps to a time, from inclusive to exclusive': async (use) => {
      const partner_id = uuidv7();
      const entry = await record(use, byOperator({ partner_id }));
      const filters = { partner_id: [partner_id, uuidv7()] as const, ...during(entry.occurred_at) };
      await use.keepsTo(use.rpc, entry, filters);
    },
  }),
  ListAuditEntriesInSequence: rpc((world) => [world, { after_sequence: 0, limit: 10 }], {
    'lists what comes after a number, in order and without gaps, each with the hash of the one before it':
      async (use) => {
        const recorded = [
          await record(use, byOperator()),
          await record(use, byOperator()),
          await record(use, byOperator()),
        ];
        const [first = {}] = recorded;
        const after_sequence = Number(first.sequence) - 1;
        const listed = await use.list(use.rpc, { after_sequence, limit: 500 });
        const known = new Set(recorded.map(({ id }) => id));
        expect(listed.filter(({ id }) => known.has(id))).toEqual(recorded);
        expect(listed.map(({ sequence }) => Number(sequence))).toEqual(
          listed.map((_, at) => after_sequence + at + 1),
        );
        expect(listed.slice(1).map((one) => one.previous_hash)).toEqual(
          listed.slice(0, -1).map((one) => one.hash),
        );
        expect(await use.list(use.rpc, { after_sequence, limit: 1 })).toEqual([first]);
      },
    'keeps to a time, from inclusive to exclusive': async (use) => {
      const entry = await record(use, byOperator());
      const { from_at, to_at } = during(entry.occurred_at);
      const listed = await use.list(use.rpc, { limit: 500, from_at: from_at[0], to_at: to_at[0] });
      expect(listed).toContainEqual(entry);
      expect(await use.list(use.rpc, { limit: 500, from_at: from_at[1] })).not.toContainEqual(entry);
      expect(await use.list(use.rpc, { limit: 500, from_at: from_at[0], to_at: from_at[0] })).toEqual([]);
    },
    'VALIDATION_FAILED: no limit': { limit: 0 },
    'VALIDATION_FAILED: more at once than 500': { limit: 501 },
  }),
});
