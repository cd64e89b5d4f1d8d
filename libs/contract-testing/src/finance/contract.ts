import { events, expect } from '../prelude';
import type { Case, Contract, Message } from '../prelude';
import { approvals } from '../common/approval.contract';
import { deadLetters } from '../common/dead-letter.contract';
import { takesInPartners } from '../common/partner-version';
import { reconciliation } from '../common/reconciliation.contract';
import { FakeIdentity } from '../identity/fake-identity';
import { PARTNER_TOPIC } from '../identity/partner-messages';
import { captured, walletApprovals, withDisplayRate } from './arrange';
import { funds, orderFunds } from './funds.contract';
import { settlements } from './settlement.contract';
import { spendingLimits } from './spending-limit.contract';
import { statements } from './statement.contract';
import { wallets } from './wallet.contract';

// Longer than a length of one byte, in bytes and not in letters.
const NOTES = 'دفعة أولى '.repeat(12);

/**
 * Of a wallet that was opened twice, credited twice under one key, used by an order, refused a debit and debited once, the event at
 * an index; it shows what its RPC's message shows too, in these fields.
 */
const ofWallet =
  (index: number, fields: readonly string[]): Case =>
  async (use) => {
    const partner = use.partner();
    const { wallet } = await partner.twice('OpenWallet');
    const credit = { amount: '100.50', notes: NOTES, idempotency_key: 'k1' };
    const { transaction } = await partner.twice('CreditWallet', credit);
    await partner.call('RefundFunds', await captured(partner, '10.00'));
    const tooMuch = { amount: '-1000.00', notes: '', idempotency_key: 'k2' };
    expect(await partner.refusal('AdjustWallet', tooMuch)).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    // The last of them, so that what must not be published would stand before it.
    const adjusted = await partner.get('AdjustWallet', { amount: '-0.25', notes: '', idempotency_key: 'k3' });
    const made = [wallet, transaction, adjusted] as Message[];
    const seen = await use.eventsUntil(String(made[0]?.id), ({ type }) => type.endsWith('.WalletAdjusted'));
    expect(seen).toHaveLength(made.length);
    for (const field of fields) expect(seen[index]?.payload[field]).toBe(made[index]?.[field]);
    return seen[index];
  };

const POSTED = ['transaction_id', 'occurred_at', 'balance_after'];

const published = [
  ...events('reseller.finance.wallet.v1', 'reseller.finance.v1', {
    WalletOpened: {
      'comes first, once, keyed by the wallet’s id; orders’ movements are not published': ofWallet(0, [
        'opened_at',
      ]),
    },
    WalletCredited: {
      'shows the deposit as the list of transactions has it, once for its key': ofWallet(1, POSTED),
    },
    WalletAdjusted: { 'shows the correction, negative when it debits': ofWallet(2, POSTED) },
  }),
  ...events('reseller.finance.rate.v1', 'reseller.finance.v1', {
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

const consumed = takesInPartners(
  'the partner’s display currency shows in its next balance, and an older version changes nothing',
  'AwaitPartnerVersion',
  async (use) => {
    await use.call('SetRate', { currency: 'OMR', rate: '0.2' });
    return withDisplayRate(use, 'BHD', '0.1');
  },
  { newer: { display_currency: 'OMR' }, older: { display_currency: 'BHD' } },
  (partner) => partner.call('GetBalance'),
);

/** Everything other services may rely on in finance. */
export const financeContract: Contract = {
  app: 'finance',
  dependencies: () => ({ identity: new FakeIdentity({ taxRegistrationNumber: '311' }) }),
  services: [
    ...wallets,
    funds,
    ...spendingLimits,
    settlements,
    ...statements,
    orderFunds,
    approvals(walletApprovals),
    reconciliation,
    deadLetters(PARTNER_TOPIC, 'reseller.identity.v1.PartnerUpdated'),
  ],
  publishes: published,
  consumes: consumed,
};
