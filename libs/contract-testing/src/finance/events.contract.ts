import { expect } from '@jest/globals';
import { takesInPartners } from '../common/partner-version';
import type { Case, Message } from '../contract';
import { events } from '../notation';
import type { World } from '../world';
import { captured, withDisplayRate } from './arrange';

const WALLET_TOPIC = 'reseller.finance.wallet.v1';
const RATE_TOPIC = 'reseller.finance.rate.v1';
// Longer than a length of one byte, in bytes and not in letters.
const NOTES = 'دفعة أولى '.repeat(12);

/** A wallet that was opened twice, credited twice under one key, debited once, and used by an order. */
async function busyWallet(world: World) {
  const partner = world.partner();
  const { wallet } = await partner.twice('OpenWallet');
  const credit = { amount: '100.50', notes: NOTES, idempotency_key: 'k1' };
  const { transaction: credited } = await partner.twice('CreditWallet', credit);
  const adjusted = await partner.get('AdjustWallet', { amount: '-0.25', notes: '', idempotency_key: 'k2' });
  await captured(partner, '10.00');
  const { id, opened_at } = wallet as Message;
  const about = { wallet_id: id, ...partner.ref, currency: 'SAR' };
  return {
    opened_at,
    credited: credited as Message,
    adjusted,
    about,
    events: await world.eventsOf(String(id), 3),
  };
}

const isLine =
  (index: number, of: 'credited' | 'adjusted', expected: Message): Case =>
  async (use) => {
    const { [of]: line, about, events: seen } = await busyWallet(use);
    const { transaction_id, occurred_at } = line;
    expect(seen[index]?.payload).toEqual({ ...about, transaction_id, occurred_at, ...expected });
  };

/** What finance publishes. */
export const published = [
  ...events(WALLET_TOPIC, 'reseller.finance.v1', {
    WalletOpened: {
      'comes first, once, keyed by the wallet’s id; orders’ movements are not told': async (use) => {
        const { about, opened_at, events: seen } = await busyWallet(use);
        expect(seen.map(({ type, topic, key }) => [type.split('.').pop(), topic, key])).toEqual(
          ['WalletOpened', 'WalletCredited', 'WalletAdjusted'].map((type) => [
            type,
            WALLET_TOPIC,
            about.wallet_id,
          ]),
        );
        expect(seen[0]?.payload).toEqual({ ...about, opened_at });
      },
    },
    WalletCredited: {
      'tells the deposit as the list of transactions has it, once for its key': isLine(1, 'credited', {
        amount: '100.50',
        balance_after: '100.50',
        notes: NOTES,
      }),
    },
    WalletAdjusted: {
      'tells the correction, negative when it debits': isLine(2, 'adjusted', {
        amount: '-0.25',
        balance_after: '100.25',
        notes: '',
      }),
    },
  }),
  ...events(RATE_TOPIC, 'reseller.finance.v1', {
    DisplayRateSet: {
      'is sent each time a rate is set, also to what it was, keyed by the currency': async (use) => {
        const set = () => use.call('SetRate', { currency: 'KWD', rate: '0.0819' });
        const replies = [await set(), await set()];
        const last = replies[1]?.updated_at;
        const seen = await use.eventsUntil('KWD', ({ payload }) => payload.updated_at === last);
        const type = 'reseller.finance.v1.DisplayRateSet';
        expect(seen.slice(-2)).toEqual(
          replies.map((payload) => ({ type, topic: RATE_TOPIC, key: 'KWD', payload })),
        );
      },
    },
  }),
];

/** What finance takes in. */
export const consumed = takesInPartners(
  'the partner’s display currency shows in its next balance, and an older version changes nothing',
  'AwaitPartnerVersion',
  async (use) => {
    await use.call('SetRate', { currency: 'OMR', rate: '0.2' });
    return withDisplayRate(use, 'BHD', '0.1');
  },
  { display_currency: 'OMR' },
  { display_currency: 'BHD' },
  async (partner) =>
    expect(await partner.call('GetBalance')).toMatchObject({
      display_rate: { currency: 'OMR', rate: '0.200000' },
    }),
);
