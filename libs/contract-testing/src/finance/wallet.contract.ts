import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { during } from '../actor';
import { partnerService, rpc, service, type Sentences } from '../contract';
import {
  byAStranger,
  given,
  inTheOtherEnvironment,
  isRepeatable,
  repeated,
  steps,
  UNKNOWN,
} from '../variations';
import type { World } from '../world';
import { captured, deposit, funded, linesOf, reserved, withDisplayRate } from './arrange';

const funding = async (world: World) =>
  [await funded(world, '0.00'), { amount: '5.00', notes: 'cash', idempotency_key: uuidv7() }] as const;

/** Both ways to fund share their rules and their key space. */
const anyFunding = (other: 'CreditWallet' | 'AdjustWallet'): Sentences => ({
  'repeated under its key, it returns the first line and posts nothing': isRepeatable(['GetBalance']),
  'VALIDATION_FAILED: an amount of nothing': { amount: '0.00' },
  'VALIDATION_FAILED: three decimals': { amount: '1.001' },
  'VALIDATION_FAILED: no idempotency key': { idempotency_key: '' },
  'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: the key with another amount': repeated({ amount: '2.00' }),
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: the key with other notes': repeated({ notes: 'another' }),
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key that the other way of funding used': steps([other], {}),
});

/** Wallets as partners read them and operators fund them. */
export const wallets = [
  partnerService('WalletService', {
    GetBalance: rpc(async (world) => [await funded(world)], {
      'returns what is posted, and what of it no order has set aside': async (use) => {
        const partner = await funded(use, '80.00');
        await reserved(partner, '30.00');
        return partner.call('GetBalance');
      },
      'returns the rate of the partner’s display currency': async (use) =>
        (await withDisplayRate(use, 'JPY', '40.1')).call('GetBalance'),
      'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
      'NOT_FOUND_WALLET: the other environment of a partner with one': inTheOtherEnvironment,
    }),
    ListTransactions: rpc(async (world) => [await funded(world)], {
      'lists newest first, page by page, ids ascending with time': async (use) => {
        const partner = await funded(use, '10.00');
        for (const amount of ['1.00', '2.00', '3.00']) await deposit(partner, amount);
        const lines = await partner.pages('ListTransactions');
        const ids = lines.map(({ transaction_id }) => BigInt(String(transaction_id)));
        expect(ids).toEqual([...ids].sort((a, b) => (a > b ? -1 : 1)));
        return lines.map(({ amount, balance_after }) => [amount, balance_after]);
      },
      'keeps to a type, and to a time from inclusive to exclusive': async (use) => {
        const partner = await funded(use, '10.00');
        await captured(partner, '4.00');
        const [debit = {}] = await partner.list('ListTransactions');
        const types = ['TRANSACTION_TYPE_DEBIT', 'TRANSACTION_TYPE_CREDIT'] as const;
        const filters = { transaction_type: types, ...during(debit.occurred_at) };
        await partner.keepsTo('ListTransactions', debit, filters);
      },
      'lists nobody another partner’s lines': async (use) => {
        await funded(use, '10.00');
        expect(await (await funded(use, '0.00')).list('ListTransactions')).toEqual([]);
      },
      'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    }),
  }),
  service('WalletService', {
    OpenWallet: rpc((world) => [world.partner('live')], {
      'opens a wallet in SAR with nothing in it; opening it again returns the same': isRepeatable(),
      'VALIDATION_FAILED: no environment': { environment: 'ENVIRONMENT_UNSPECIFIED' },
    }),
    CreditWallet: rpc(funding, {
      ...anyFunding('AdjustWallet'),
      'adds money as one Deposit': { amount: '12.5' },
    }),
    AdjustWallet: rpc(funding, {
      ...anyFunding('CreditWallet'),
      'takes money for a negative amount, and shows it positive, as a Debit': steps(
        ['CreditWallet', { amount: '10.00' }],
        { amount: '-2.25', idempotency_key: 'debit' },
      ),
      'BUSINESS_INSUFFICIENT_BALANCE: more than is available, though it is there': given(
        async ({ partner, call }) => {
          await deposit(partner, '10.00');
          await reserved(partner, '5.00');
          return call({ amount: '-5.01' });
        },
      ),
    }),
    ListTransactionsByReference: rpc((world) => [world], {
      'lists the lines that name an order or a deposit, oldest first': async (use) => {
        const partner = await funded(use, '10.00');
        const credited = await deposit(partner, '1.00');
        expect(await linesOf(use, { reservation_key: credited.reference_id })).toEqual([credited]);
        return linesOf(use, await captured(partner, '4.00'));
      },
      'lists nothing for a reference nobody used': { reference_id: UNKNOWN },
      'VALIDATION_FAILED: no reference': {},
    }),
  }),
];
