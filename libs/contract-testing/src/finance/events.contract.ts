import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { ConsumedEventContract, EventContract } from '../contract';
import { PARTNER_TOPIC } from '../identity/partner-messages';
import { part, text } from '../message';
import { newPartner, type World } from '../world';
import { captured } from './arrange';
import { withDisplayRate } from './rate.contract';

const WALLET_TOPIC = 'reseller.finance.wallet.v1';
const RATE_TOPIC = 'reseller.finance.rate.v1';

/** A wallet that was opened twice, credited twice under one key, debited once, and used by an order. */
async function busyWallet(world: World) {
  const partner = newPartner();
  const opened = await world.call('WalletService.OpenWallet', partner.ref);
  await world.call('WalletService.OpenWallet', partner.ref);
  // Longer than a length of one byte, in bytes and not in letters.
  const notes = 'دفعة أولى '.repeat(12);
  const credit = { ...partner.ref, amount: '100.50', notes, idempotency_key: 'k1' };
  const credited = part(await world.call('WalletService.CreditWallet', credit), 'transaction');
  await world.call('WalletService.CreditWallet', credit);
  const adjust = { ...partner.ref, amount: '-0.25', notes: '', idempotency_key: 'k2' };
  const adjusted = part(await world.call('WalletService.AdjustWallet', adjust), 'transaction');
  await captured(world, partner, '10.00');
  const id = text(opened, 'wallet.id');
  const about = { wallet_id: id, ...partner.ref, currency: 'SAR' };
  return { opened, credited, adjusted, about, notes, events: await world.eventsOf(id, 3) };
}

/** What finance tells of. */
export const published: EventContract[] = [
  {
    type: 'reseller.finance.v1.WalletOpened',
    topic: WALLET_TOPIC,
    promises: {
      'comes first, once, keyed by the wallet’s id; orders’ movements are not told': async (world) => {
        const { about, opened, events } = await busyWallet(world);
        expect(events.map(({ type, topic, key }) => [type.split('.').pop(), topic, key])).toEqual(
          ['WalletOpened', 'WalletCredited', 'WalletAdjusted'].map((type) => [
            type,
            WALLET_TOPIC,
            about.wallet_id,
          ]),
        );
        expect(events[0]?.payload).toEqual({ ...about, opened_at: text(opened, 'wallet.opened_at') });
      },
    },
  },
  {
    type: 'reseller.finance.v1.WalletCredited',
    topic: WALLET_TOPIC,
    promises: {
      'tells the deposit as the list of transactions has it, once for its key': async (world) => {
        const { about, credited, notes, events } = await busyWallet(world);
        expect(events[1]?.payload).toEqual({
          ...about,
          transaction_id: credited['transaction_id'],
          amount: '100.50',
          balance_after: '100.50',
          notes,
          occurred_at: credited['occurred_at'],
        });
      },
    },
  },
  {
    type: 'reseller.finance.v1.WalletAdjusted',
    topic: WALLET_TOPIC,
    promises: {
      'tells the correction, negative when it debits': async (world) => {
        const { about, adjusted, events } = await busyWallet(world);
        expect(events[2]?.payload).toEqual({
          ...about,
          transaction_id: adjusted['transaction_id'],
          amount: '-0.25',
          balance_after: '100.25',
          notes: '',
          occurred_at: adjusted['occurred_at'],
        });
      },
    },
  },
  {
    type: 'reseller.finance.v1.DisplayRateSet',
    topic: RATE_TOPIC,
    promises: {
      'is sent each time a rate is set, also to what it was, keyed by the currency': async (world) => {
        const before = world.eventsOfSoFar('KWD').length;
        const request = { currency: 'KWD', rate: '0.0819' };
        const answers = [
          await world.call('RateService.SetRate', request),
          await world.call('RateService.SetRate', request),
        ];
        const events = await world.eventsOf('KWD', before + 2);
        expect(events.slice(before)).toEqual(
          answers.map((payload) => ({
            type: 'reseller.finance.v1.DisplayRateSet',
            topic: RATE_TOPIC,
            key: 'KWD',
            payload,
          })),
        );
      },
    },
  },
];

/** What finance takes in. */
export const consumed: ConsumedEventContract[] = ['PartnerRegistered', 'PartnerUpdated'].map((name) => ({
  type: `reseller.identity.v1.${name}`,
  topic: PARTNER_TOPIC,
  effects: {
    'the partner’s display currency shows in its next balance, and an older version changes nothing': async (
      world,
    ) => {
      const { id, caller } = await withDisplayRate(world, 'BHD', '0.1');
      const tell = (version: number, display_currency: string) =>
        world.publish(PARTNER_TOPIC, `reseller.identity.v1.${name}`, id, {
          partner: { id, version, display_currency, global_id: 'PRT-1', name: 'Acme', path: [id] },
        });
      await world.call('RateService.SetRate', { currency: 'OMR', rate: '0.2' });
      await tell(3, 'OMR');
      await tell(2, 'BHD');
      await world.call('RateService.AwaitPartnerVersion', { partner_id: id, version: 3 });
      // A later event of the same partner: once it is seen, the older one was seen too.
      await tell(4, 'OMR');
      await world.call('RateService.AwaitPartnerVersion', { partner_id: id, version: 4 });
      expect(await world.call('WalletService.GetBalance', {}, caller)).toMatchObject({
        display_rate: { currency: 'OMR', rate: '0.200000' },
      });
    },
    'a later kind of event on the topic does no harm': async (world) => {
      const id = uuidv7();
      await world.publishBytes(PARTNER_TOPIC, 'reseller.identity.v1.PartnerFrozen', id, Buffer.from('x'));
      const settled = await withDisplayRate(world, 'BHD', '0.1');
      expect(settled.id).not.toBe(id);
    },
  },
}));
