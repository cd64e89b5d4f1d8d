import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WEBHOOK_EVENTS, type WebhookEventDeclaration } from '@reseller/presenters';
import { eventually, expect, uuidv7 } from '../prelude';
import type { EventContract, Message, Party, World } from '../prelude';
import { takesInPartners } from '../common/partner-version';
import { publishPartner } from '../identity/partner-messages';
import { coderOf } from '../reader';
import { attempted, completed, deliveriesOf, delivered, receiver, subscribed } from './arrange';
import { isSignedWith } from './receiver';

const orderIs = (status: string) =>
  [{ order: { status: `ORDER_STATUS_${status.toUpperCase()}` } }, { status }] as const;

const DECLINED = {
  status: 'RETURN_REQUEST_STATUS_DECLINED',
  decline_reason: 'worn',
  decided_by_user_id: 'Olga',
};

/** Events that are taken in with other values than the guide's example has, in the payload and so in the webhook's data. */
const OTHERWISE: Readonly<Record<string, readonly [payload: Message, data: Message]>> = {
  'reseller.orders.v1.OrderProcessingStarted': orderIs('Processing'),
  'reseller.orders.v1.OrderReversed': orderIs('Reversed'),
  'reseller.orders.v1.OrderReturned': orderIs('Returned'),
  'reseller.orders.v1.ReturnRequestChanged': [
    { return_request: DECLINED },
    { status: 'Declined', declineReason: 'worn' },
  ],
  'reseller.scent.v1.VariantBackInStock': [
    { available_quantity: 3 },
    { availability: 'Limited', availableQuantity: 3 },
  ],
};

/** The data of the example that docs/partners/webhooks.md shows of an event, for another partner. */
function exampleInGuide(name: string, partnerId: string): Message {
  const guide = readFileSync(path.resolve(__dirname, '../../../../docs/partners/webhooks.md'), 'utf8');
  const json = guide.split(`### \`${name}\``)[1]?.split('```json')[1]?.split('```')[0];
  if (!json) throw new Error(`docs/partners/webhooks.md shows no ${name}`);
  return { ...(JSON.parse(json) as { data: Message }).data, partnerId };
}

/** The payload of the guide's example, as it can be published again, with some values replaced. */
function exampleOf(type: string, bytes: Buffer, changes: Message): Message {
  const example = JSON.stringify(coderOf(type).decode(bytes));
  return JSON.parse(example, (name, value: unknown) => {
    if (name.endsWith('_at') && value) return new Date(String(value));
    const change = changes[name];
    return typeof change === 'object' ? { ...(value as Message), ...change } : (change ?? value);
  }) as Message;
}

/** That an event of a partner's becomes the webhook that the guide shows. */
function effectsOf({ name, topic, examplePayload }: WebhookEventDeclaration, type: string): EventContract {
  const [changes, data] = OTHERWISE[type] ?? [{}, {}];
  const events = [name];
  const published = (use: World, { id }: Party): Promise<string> =>
    use.publish(topic, type, uuidv7(), exampleOf(type, examplePayload(type, id), changes));
  return {
    type,
    topic,
    sentences: {
      [`becomes ${name}, signed, to who subscribed to it`]: async (use) => {
        const { partner, path: at, secret } = await subscribed(use, { events });
        const eventId = await published(use, partner);
        const [sent] = await receiver.got(at, 1);
        expect(isSignedWith(secret, sent)).toBe(true);
        expect(JSON.parse(sent?.body ?? '')).toEqual({
          ...{ eventId, eventType: name, occurredAt: expect.any(String) },
          data: { ...exampleInGuide(name, partner.id), ...data },
        });
      },
      'is sent to nobody else': async (use) => {
        const other = name === 'order.failed' ? 'order.completed' : 'order.failed';
        const unsubscribed = await subscribed(use, { events: [other] });
        const sentTo = await subscribed(use, { events, partner: unsubscribed.partner });
        const stranger = await subscribed(use, { events });
        await published(use, sentTo.partner);
        await receiver.got(sentTo.path, 1);
        for (const one of [unsubscribed, stranger]) expect(await deliveriesOf(one)).toEqual([]);
      },
    },
  };
}

/** Deliveries of frozen partners wait (spec §18.5). */
const freezes = takesInPartners(
  'deliveries of a frozen partner wait until it is unfrozen, and an older version changes nothing',
  'AwaitPartnerFreeze',
  (use) => Promise.resolve(use.partner()),
  { newer: { is_frozen_with_ancestors: true }, older: { is_frozen_with_ancestors: false } },
  async (partner, use) => {
    const frozen = await subscribed(use, { partner });
    await completed(use, partner);
    await eventually(async () => expect(await deliveriesOf(frozen)).toHaveLength(1));
    // One claim takes all that is due: once a later event of another partner was sent, this one was passed over.
    await delivered(use);
    expect(await deliveriesOf(frozen)).toMatchObject([
      { status: 'WEBHOOK_DELIVERY_STATUS_PENDING', attempt_count: 0 },
    ]);
    await publishPartner(use, partner, 'PartnerUpdated', { version: 5, is_frozen_with_ancestors: false });
    const { status, attempt_count } = await attempted(frozen);
    return { status, attempt_count };
  },
);

/** What notifier takes in: each event as partners get it (docs/partners/webhooks.md), and who is frozen. */
export const consumed = [
  ...WEBHOOK_EVENTS.flatMap((event) => event.sources.map((type) => effectsOf(event, type))),
  ...freezes,
];
