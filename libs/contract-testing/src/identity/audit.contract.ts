import { expect, lists, operatorNamed, operatorRpc, service, uuidv7 } from '../prelude';
import type { Caller, Message, World } from '../prelude';
import { family } from './arrange';

const HASH: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

const anEntry = (more: Message): Message => ({
  entry_id: uuidv7(),
  request_id: 'contract',
  details_json: '',
  partner_id: uuidv7(),
  ...more,
});

const byOperator = (more: Message = {}): Message =>
  anEntry({
    ...{ actor_type: 'ACTOR_TYPE_OPERATOR', operator: 'Olga', action: 'wallet.credit' },
    ...{ details_json: '{"amount":"10.00"}', partner_id: undefined },
    ...more,
  });

const byPartner = (acting_partner_id?: string, more: Message = {}): Message =>
  anEntry({
    ...{ actor_type: 'ACTOR_TYPE_PARTNER', action: 'POST /api/v1/orders/topup', acting_partner_id },
    ...(acting_partner_id && { acting_client_id: 'client' }),
    ...more,
  });

const tokenOf = (id: unknown): Caller => ({
  'x-partner-id': String(id),
  'x-environment': 'live',
  'x-client-id': 'client',
});

/** As the edges do: who acted is the one of the call's metadata. */
const callerOf = ({ acting_partner_id: acting, partner_id }: Message): Caller => ({
  ...(acting === undefined ? operatorNamed('Olga') : tokenOf(partner_id)),
  ...(acting !== undefined && { 'x-acting-partner-id': String(acting), 'x-acting-client-id': 'client' }),
});

/** Records, by the first one's own token, what it did to the second. */
const recordOnto = (world: World, { id: own }: Message, { id: partner_id }: Message): Promise<Message> =>
  world.call('RecordAuditEntry', byPartner(undefined, { partner_id }), tokenOf(own));

async function record(world: World, request: Message): Promise<Message> {
  const { entry } = await world.call('RecordAuditEntry', request, callerOf(request));
  return entry as Message;
}

/** What one partner did, was acted for, and both, each once; and no more. */
async function ofOne(world: World) {
  const partner_id = uuidv7();
  const entries = [
    await record(world, byPartner(partner_id)),
    await record(world, byOperator({ partner_id })),
    await record(world, byPartner(partner_id, { partner_id })),
  ];
  await record(world, byOperator({ partner_id: uuidv7() }));
  return [world, entries, { partner_id }] as const;
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
      const acted = { acting_partner_id: uuidv7(), partner_id: uuidv7() };
      const { entry } = await use.call(use.rpc, byPartner(), callerOf(acted));
      expect(entry).toMatchObject({ ...acted, acting_client_id: 'client' });
    },
    'keeps what a partner did to one below it by its own token': async (use) => {
      const [parent, child] = await family(use);
      const { entry } = await recordOnto(use, parent, child);
      const acting = { acting_partner_id: parent.id, acting_client_id: 'client' };
      expect(entry).toMatchObject({ ...acting, partner_id: child.id });
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: what it did to one that is not below it': async (use) => {
      const [parent, child] = await family(use);
      return recordOnto(use, child, parent);
    },
    'FORBIDDEN_NOT_YOUR_DESCENDANT: what it did to itself': async (use) => {
      const [parent] = await family(use);
      return recordOnto(use, parent, parent);
    },
    'VALIDATION_FAILED: details that are no JSON object': { details_json: '[]' },
  }),
  ListAuditEntries: lists(ofOne),
  ListAuditEntriesInSequence: lists(ofOne, {
    'lists what comes after a number, in order and without gaps, each with the hash of the one before it':
      async (use) => {
        const recorded: Message[] = [];
        for (const _ of [1, 2, 3]) recorded.push(await record(use, byOperator()));
        const [first = {}] = recorded;
        const after_sequence = Number(first.sequence) - 1;
        const listed = await use.list(use.rpc, { after_sequence, limit: 500 });
        const known = new Set(recorded.map(({ id }) => id));
        expect(listed.filter(({ id }) => known.has(id))).toEqual(recorded);
        const numbers = listed.map((_, at) => after_sequence + at + 1);
        expect(listed.map(({ sequence }) => Number(sequence))).toEqual(numbers);
        const hashes = listed.map(({ hash }) => hash);
        expect(listed.slice(1).map((one) => one.previous_hash)).toEqual(hashes.slice(0, -1));
        expect(await use.list(use.rpc, { after_sequence, limit: 1 })).toEqual([first]);
      },
    'VALIDATION_FAILED: a partner_id that is no UUID': { partner_id: 'acme' },
  }),
});
