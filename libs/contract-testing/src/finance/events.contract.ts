import { expect } from '@jest/globals';
import { takesInPartners } from '../common/partner-version';
import { events, type Message, type Use } from '../contract';
import type { SeenEvent } from '../world';
import { captured, withDisplayRate } from './arrange';

const WALLET_TOPIC = 'reseller.finance.wallet.v1';
const RATE_TOPIC = 'reseller.finance.rate.v1';
// Longer than a length of one byte, in bytes and not in letters.
const NOTES = 'دفعة أولى '.repeat(12);

/** The events of a wallet that was opened twice, credited twice under one key, debited once, and used by an order. */
async function eventsOfWallet(use: Use): Promise<[SeenEvent[], made: Message[]]> {
  const partner = use.partner();
  const { wallet } = await partner.twice('OpenWallet');
  const credit = { amount: '100.50', notes: NOTES, idempotency_key: 'k1' };
  const { transaction } = await partner.twice('CreditWallet', credit);
  const adjusted = await partner.get('AdjustWallet', { amount: '-0.25', notes: '', idempotency_key: 'k2' });
  await captured(partner, '10.00');
  const opened = wallet as Message;
  return [await use.eventsOf(String(opened.id), 3), [opened, transaction as Message, adjusted]];
}

/** The event of that wallet that its RPC's message shows too, in these fields. */
const shows =
  (index: number, ...fields: string[]) =>
  async (use: Use) => {
    const [events, made] = await eventsOfWallet(use);
    for (const field of fields) expect(events[index]?.payload[field]).toBe(made[index]?.[field]);
    return events[index];
  };

/** What finance publishes. */
export const published = [
  ...events(WALLET_TOPIC, 'reseller.finance.v1', {
    WalletOpened: {
      'comes first, once, keyed by the wallet’s id; orders’ movements are not published': shows(
        0,
        'opened_at',
      ),
    },
    WalletCredited: {
      'shows the deposit as the list of transactions has it, once for its key': shows(
        1,
        ...['transaction_id', 'occurred_at', 'balance_after'],
      ),
    },
    WalletAdjusted: {
      'shows the correction, negative when it debits': shows(
        2,
        'transaction_id',
        'occurred_at',
        'balance_after',
      ),
    },
  }),
  ...events(RATE_TOPIC, 'reseller.finance.v1', {
    DisplayRateSet: {
      'is sent each time a rate is set, also to what it was, keyed by the currency': async (use) => {
        const set = () => use.call('SetRate', { currency: 'KWD', rate: '0.0819' });
        const replies = [await set(), await set()];
        const last = replies[1]?.updated_at;
        const seen = (await use.eventsUntil('KWD', ({ payload }) => payload.updated_at === last)).slice(-2);
        expect(seen.map(({ payload }) => payload)).toEqual(replies);
        return seen;
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
  { newer: { display_currency: 'OMR' }, older: { display_currency: 'BHD' } },
  (partner) => partner.call('GetBalance'),
);
