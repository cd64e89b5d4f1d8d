import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../contract';
import { rpc, service } from '../notation';
import type { World } from '../world';

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

const record = (world: World, request: Message): Promise<Message> => world.get('RecordAuditEntry', request);

/** The append-only record of who did what as whom. */
export const audit = service('AuditService', {
  RecordAuditEntry: rpc(async (world) => [world, byOperator()], {
    'keeps the entry as it was given, with its time': async (use) => {
      for (const request of [byOperator({ partner_id: uuidv7(), subject: 'ORD-1' }), byPartner(uuidv7())]) {
        const { entry_id: id, ...given } = request;
        expect(await record(use, request)).toEqual({ ...given, id, occurred_at: expect.any(String) });
      }
    },
    'repeated under its id, also with other values, it answers the first entry': async (use) => {
      const { call } = await use.given();
      const first = await call();
      expect(await call({ action: 'another' })).toEqual(first);
    },
    'VALIDATION_FAILED: an id that is no UUID': { entry_id: 'one' },
    'VALIDATION_FAILED: no actor': { actor_type: 'ACTOR_TYPE_UNSPECIFIED' },
    'VALIDATION_FAILED: an operator without a name': { operator: '' },
    'VALIDATION_FAILED: details that are no JSON object': { details_json: '[]' },
  }),
  ListAuditEntries: rpc(async (world) => [world], {
    'lists newest first, page by page, what a partner did or was acted for': async (use) => {
      const partner_id = uuidv7();
      const entries = [
        await record(use, byPartner(partner_id)),
        await record(use, byOperator({ partner_id })),
        await record(use, byOperator({ partner_id })),
      ];
      await record(use, byOperator({ partner_id: uuidv7() }));
      expect(await use.pages('ListAuditEntries', { partner_id })).toEqual(entries.reverse());
    },
    'keeps to a time, from inclusive to exclusive': async (use) => {
      const partner_id = uuidv7();
      const entry = await record(use, byOperator({ partner_id }));
      const from_at = new Date(String(entry.occurred_at));
      const to_at = new Date(from_at.getTime() + 1);
      const others = [
        { from_at: to_at, to_at: new Date(to_at.getTime() + 1) },
        { from_at: new Date(0), to_at: from_at },
      ];
      await use.keepsTo('ListAuditEntries', { partner_id, from_at, to_at }, others, [entry]);
    },
    'VALIDATION_FAILED: a partner id that is no UUID': { partner_id: 'me' },
  }),
});
