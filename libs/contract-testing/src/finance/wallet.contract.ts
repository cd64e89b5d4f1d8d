import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { partnerService, rpc, service, type Sentences } from '../notation';
import type { Party } from '../party';
import { byAStranger, inTheOtherEnvironment, isRepeatable, repeated, UNKNOWN } from '../variations';
import type { World } from '../world';
import { balanceOf, captured, deposit, funded, linesOf, reserved, withDisplayRate } from './arrange';

const funding = async (world: World) => {
  const request = { amount: '5.00', notes: 'cash', idempotency_key: uuidv7() };
  return [await funded(world, '0.00'), request] as const;
};

/** Both ways to fund share their rules and their key space. */
const anyFunding = (other: 'CreditWallet' | 'AdjustWallet'): Sentences => ({
  'repeated under its key, it answers the first line and posts nothing': isRepeatable(
    async (partner: Party) => expect(await balanceOf(partner)).toEqual(['5.00', '5.00']),
  ),
  'VALIDATION_FAILED: an amount of nothing': { amount: '0.00' },
  'VALIDATION_FAILED: three decimals': { amount: '1.001' },
  'VALIDATION_FAILED: no idempotency key': { idempotency_key: '' },
  'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: the key with another amount': repeated({ amount: '2.00' }),
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: the key with other notes': repeated({ notes: 'another' }),
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that the other way of funding used': async (use) => {
    const { who, request, call } = await use.given();
    await who.call(other, request);
    return call();
  },
});

/** Wallets as partners read them and operators fund them. */
export const wallets = [
  partnerService('WalletService', {
    GetBalance: rpc(async (world) => [await funded(world)], {
      'answers what is posted, and what of it no order has set aside': async (use) => {
        const partner = await funded(use, '80.00');
        await reserved(partner, '30.00');
        expect(await partner.call('GetBalance')).toEqual({
          currency: 'SAR',
          current_balance: '80.00',
          available_balance: '50.00',
          display_rate: null,
        });
      },
      'answers the rate of the partner’s display currency': async (use) => {
        const { display_rate } = await (await withDisplayRate(use, 'JPY', '40.1')).call('GetBalance');
        expect(display_rate).toEqual({ currency: 'JPY', rate: '40.100000' });
      },
      'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
      'NOT_FOUND_WALLET: the other environment of a partner with one': inTheOtherEnvironment,
    }),
    ListTransactions: rpc(async (world) => [await funded(world)], {
      'lists newest first, page by page, ids ascending with time': async (use) => {
        const partner = await funded(use, '10.00');
        for (const amount of ['1.00', '2.00', '3.00']) await deposit(partner, amount);
        const lines = await partner.pages('ListTransactions');
        expect(lines.map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
          ['3.00', '16.00'],
          ['2.00', '13.00'],
          ['1.00', '11.00'],
          ['10.00', '10.00'],
        ]);
        const ids = lines.map(({ transaction_id }) => BigInt(String(transaction_id)));
        expect(ids).toEqual([...ids].sort((a, b) => (a > b ? -1 : 1)));
      },
      'keeps to a type, and to a time from inclusive to exclusive': async (use) => {
        const partner = await funded(use, '10.00');
        await captured(partner, '4.00');
        const [debit] = await partner.list('ListTransactions');
        const from_at = new Date(String(debit?.occurred_at));
        const to_at = new Date(from_at.getTime() + 1);
        const all = { transaction_type: 'TRANSACTION_TYPE_DEBIT', from_at, to_at };
        const others = [
          { from_at: to_at, to_at: undefined },
          { from_at: undefined, to_at: from_at },
        ];
        await partner.keepsTo('ListTransactions', all, others, [debit]);
        expect(await partner.list('ListTransactions', { to_at })).toHaveLength(2);
      },
      'shows nobody another partner’s lines': async (use) => {
        await funded(use, '10.00');
        expect(await (await funded(use, '0.00')).list('ListTransactions')).toEqual([]);
      },
      'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    }),
  }),
  service('WalletService', {
    OpenWallet: rpc(async (world) => [world.partner('live')], {
      'opens a wallet in SAR with nothing in it; opening it again answers the same': isRepeatable(
        async ({ ref }: Party, { wallet }) =>
          expect(wallet).toMatchObject({
            ...ref,
            currency: 'SAR',
            current_balance: '0.00',
            available_balance: '0.00',
          }),
      ),
      'VALIDATION_FAILED: no environment': { environment: 'ENVIRONMENT_UNSPECIFIED' },
    }),
    CreditWallet: rpc(funding, {
      ...anyFunding('AdjustWallet'),
      'adds money as one Deposit': async (use) => {
        const { call } = await use.given();
        expect((await call({ amount: '12.5' })).transaction).toMatchObject({
          transaction_type: 'TRANSACTION_TYPE_CREDIT',
          reference_type: 'REFERENCE_TYPE_DEPOSIT',
          amount: '12.50',
          balance_after: '12.50',
          notes: 'cash',
        });
      },
    }),
    AdjustWallet: rpc(funding, {
      ...anyFunding('CreditWallet'),
      'takes money for a negative amount, and shows it positive, as a Debit': async (use) => {
        const { who, call } = await use.given();
        await deposit(who as Party, '10.00');
        expect((await call({ amount: '-2.25' })).transaction).toMatchObject({
          transaction_type: 'TRANSACTION_TYPE_DEBIT',
          reference_type: 'REFERENCE_TYPE_ADJUSTMENT',
          amount: '2.25',
          balance_after: '7.75',
        });
      },
      'BUSINESS_INSUFFICIENT_BALANCE: more than is available, though it is there': async (use) => {
        const { who, call } = await use.given();
        await deposit(who as Party, '10.00');
        await reserved(who as Party, '5.00');
        return call({ amount: '-5.01' });
      },
    }),
    ListTransactionsByReference: rpc(async (world) => [world], {
      'lists the lines that name an order or a deposit, oldest first': async (use) => {
        const partner = await funded(use, '10.00');
        expect(await linesOf(use, await captured(partner, '4.00'))).toMatchObject([{ amount: '4.00' }]);
        const credited = await deposit(partner, '1.00');
        expect(await linesOf(use, { reservation_key: credited.reference_id })).toEqual([credited]);
      },
      'lists nothing for a reference nobody used': async (use) =>
        expect(await linesOf(use, { reservation_key: UNKNOWN })).toEqual([]),
      'VALIDATION_FAILED: no reference': {},
    }),
  }),
];
