import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Message, ServiceContract } from '../contract';
import { part, text } from '../message';
import { expectPages } from '../paging';
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

const byPartner = (acting: string, more: Message = {}): Message => ({
  entry_id: uuidv7(),
  actor_type: 'ACTOR_TYPE_PARTNER',
  acting_partner_id: acting,
  acting_client_id: 'client',
  action: 'POST /api/v1/orders/topup',
  request_id: 'contract',
  details_json: '',
  ...more,
});

const record = async (world: World, request: Message): Promise<Message> =>
  part(await world.call('AuditService.RecordAuditEntry', request), 'entry');

/** The append-only record of who did what as whom. */
export const audit: ServiceContract = {
  service: 'AuditService',
  speaksFor: 'whom the request names',
  rpcs: {
    RecordAuditEntry: {
      promises: {
        'keeps the entry as it was given, with its time': async (world) => {
          const request = byOperator({ partner_id: uuidv7(), subject: 'ORD-1' });
          const { entry_id: id, ...rest } = request;
          expect(await record(world, request)).toEqual({ ...rest, id, occurred_at: expect.any(String) });
          const { entry_id: partnersId, ...given } = byPartner(uuidv7(), { partner_id: uuidv7() });
          expect(await record(world, { ...given, entry_id: partnersId })).toEqual({
            ...given,
            id: partnersId,
            occurred_at: expect.any(String),
          });
        },
        'repeated under its id, also with other values, it answers the first entry': async (world) => {
          const request = byOperator();
          const first = await record(world, request);
          expect(await record(world, { ...request, action: 'another' })).toEqual(first);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'an id that is no UUID': (world) => record(world, byOperator({ entry_id: 'one' })),
          'no actor': (world) => record(world, byOperator({ actor_type: 'ACTOR_TYPE_UNSPECIFIED' })),
          'an operator without a name': (world) => record(world, byOperator({ operator: '' })),
          'details that are no JSON object': (world) => record(world, byOperator({ details_json: '[]' })),
        },
      },
    },
    ListAuditEntries: {
      promises: {
        'lists newest first, page by page, what a partner did or was acted for': async (world) => {
          const id = uuidv7();
          const entries = [
            await record(world, byPartner(id, { partner_id: uuidv7() })),
            await record(world, byOperator({ partner_id: id })),
            await record(world, byOperator({ partner_id: id })),
          ];
          await record(world, byOperator({ partner_id: uuidv7() }));
          const listed = await expectPages(world, {
            rpc: 'AuditService.ListAuditEntries',
            field: 'entries',
            request: { partner_id: id },
          });
          expect(listed).toEqual(entries.reverse());
        },
        'keeps to a time, from inclusive to exclusive': async (world) => {
          const id = uuidv7();
          const entry = await record(world, byOperator({ partner_id: id }));
          const at = new Date(text(entry, 'occurred_at'));
          const listed = (from_at: Date, to_at: Date) =>
            world.call('AuditService.ListAuditEntries', { partner_id: id, from_at, to_at });
          const later = new Date(at.getTime() + 1);
          expect(await listed(at, later)).toMatchObject({ entries: [entry] });
          expect(await listed(later, new Date(at.getTime() + 2))).toMatchObject({ entries: [] });
          expect(await listed(new Date(0), at)).toMatchObject({ entries: [] });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'a partner id that is no UUID': (world) =>
            world.call('AuditService.ListAuditEntries', { partner_id: 'me' }),
        },
      },
    },
  },
};
