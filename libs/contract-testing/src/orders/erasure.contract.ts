import { eventually, expect, lists, operatorRpc, service } from '../prelude';
import type { Message, World } from '../prelude';

let made = 0;
/** A number that no order has. */
const aNumber = (): string =>
  `+9665${String(Date.now() % 1e6).padStart(6, '0')}${String((made += 1) % 100).padStart(2, '0')}`;

const BY_PHONE = { kind: 'RECIPIENT_KIND_PHONE_NUMBER' };
const of = () => ({ ...BY_PHONE, recipient: aNumber() });
const why = { reason: 'requested by the person' };

const request = (world: World, recipient: Message): Promise<Message> =>
  world.get('RequestErasure', { ...recipient, ...why });

const completed = (world: World, { id }: Message): Promise<Message> =>
  eventually(async () => {
    const erasure = await world.get('GetErasure', { erasure_id: id });
    expect(erasure).toMatchObject({ status: 'ERASURE_STATUS_COMPLETED' });
    return erasure;
  });

const UNFIT = {
  'VALIDATION_FAILED: one that is no phone number': { recipient: '0501234567' },
  'VALIDATION_FAILED: one that is no e-mail address': { kind: 'RECIPIENT_KIND_EMAIL', recipient: 'nobody' },
};

/** How operators have a recipient made unreadable. */
export const erasures = service('ErasureService', {
  GetRecipientHash: operatorRpc((world) => [world, of()], {
    ...UNFIT,
    'is the hash by which the erasure names its recipient': async (use) => {
      const recipient = of();
      const { subject_hash } = await use.call('GetRecipientHash', recipient);
      expect(await request(use, recipient)).toMatchObject({ subject_hash });
    },
    'matches e-mail addresses without regard to letter case': async (use) => {
      const [some, same] = ['Some.One@Example.com', 'some.one@example.COM'].map((recipient) =>
        use.call('GetRecipientHash', { kind: 'RECIPIENT_KIND_EMAIL', recipient }),
      );
      expect(await some).toEqual(await same);
    },
  }),
  RequestErasure: operatorRpc((world) => [world, { ...of(), ...why }], {
    ...UNFIT,
    'VALIDATION_FAILED: a reason with the recipient in it': {
      recipient: '+966540004711',
      reason: 'of +966540004711',
    },
    'is done by and by, and done anew once it is completed': async (use) => {
      const recipient = of();
      const first = await request(use, recipient);
      expect(first).toMatchObject({ ...BY_PHONE, status: 'ERASURE_STATUS_RUNNING', reason: why.reason });
      expect(await completed(use, first)).toMatchObject({
        parts: [{ service: 'orders-saga', status: 'ERASURE_STATUS_COMPLETED', rows: '0' }],
      });
      const again = await request(use, recipient);
      expect(again.id).not.toBe(first.id);
      expect(again.subject_hash).toBe(first.subject_hash);
    },
  }),
  GetErasure: operatorRpc(async (world) => [world, { erasure_id: (await request(world, of())).id }], {
    'shows it as it stands, without its recipient': async (use) => {
      const recipient = of();
      const erasure = await request(use, recipient);
      const seen = await use.get('GetErasure', { erasure_id: erasure.id });
      expect(seen).toMatchObject({ id: erasure.id, subject_hash: erasure.subject_hash, ...BY_PHONE });
      expect(JSON.stringify(seen)).not.toContain(recipient.recipient);
    },
  }),
  ListErasures: {
    ...lists(async (world) => {
      const made = [await request(world, of()), await request(world, of())];
      return [world, made.map(({ id }) => ({ id }))];
    }),
    needsOperator: true,
  },
});
