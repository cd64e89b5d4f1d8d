import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { list, part, text } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, type World } from '../world';
import { balanceOf, captured, deposit, funded, reserved } from './arrange';
import { withDisplayRate } from './rate.contract';

type Funding = 'WalletService.CreditWallet' | 'WalletService.AdjustWallet';

const fund = (world: World, rpc: Funding, ref: Message, amount: string, more: Message = {}) =>
  world.call(rpc, { ...ref, amount, notes: 'cash', idempotency_key: uuidv7(), ...more });

/** Both ways to fund share their rules and their key space. */
const fundingRefusals = (rpc: Funding) => ({
  VALIDATION_FAILED: {
    'an amount of nothing': async (world) => fund(world, rpc, (await funded(world, '0.00')).ref, '0.00'),
    'three decimals': async (world) => fund(world, rpc, (await funded(world, '0.00')).ref, '1.001'),
    'no idempotency key': async (world) =>
      fund(world, rpc, (await funded(world, '0.00')).ref, '1.00', { idempotency_key: '' }),
  } satisfies Cases as Cases,
  NOT_FOUND_WALLET: {
    'a partner without a wallet': (world) => fund(world, rpc, newPartner().ref, '1.00'),
  } satisfies Cases as Cases,
  CONFLICT_IDEMPOTENCY_KEY_REUSED: {
    'the key with another amount': async (world) => {
      const { ref } = await funded(world, '0.00');
      await fund(world, rpc, ref, '1.00', { idempotency_key: 'one' });
      return fund(world, rpc, ref, '2.00', { idempotency_key: 'one' });
    },
    'the key with other notes': async (world) => {
      const { ref } = await funded(world, '0.00');
      await fund(world, rpc, ref, '1.00', { idempotency_key: 'one' });
      return fund(world, rpc, ref, '1.00', { idempotency_key: 'one', notes: 'another' });
    },
    'a key that the other way of funding used': async (world) => {
      const { ref } = await funded(world, '0.00');
      const other = rpc.endsWith('CreditWallet')
        ? 'WalletService.AdjustWallet'
        : 'WalletService.CreditWallet';
      await fund(world, other, ref, '1.00', { idempotency_key: 'one' });
      return fund(world, rpc, ref, '1.00', { idempotency_key: 'one' });
    },
  } satisfies Cases as Cases,
});

const isPostedOnce = (rpc: Funding): Cases => ({
  'repeated under its key, it answers the first line and posts nothing': async (world) => {
    const partner = await funded(world, '0.00');
    const post = () => fund(world, rpc, partner.ref, '5.00', { idempotency_key: 'one' });
    const first = await post();
    expect(await Promise.all([post(), post(), post()])).toEqual([first, first, first]);
    expect(await balanceOf(world, partner)).toEqual(['5.00', '5.00']);
  },
});

/** Wallets as partners read them and operators fund them. */
export const wallets: ServiceContract[] = [
  {
    service: 'WalletService',
    speaksFor: 'the partner of the metadata',
    rpcs: {
      GetBalance: {
        promises: {
          'answers what is posted, and what of it no order has set aside': async (world) => {
            const partner = await funded(world, '80.00');
            await reserved(world, partner, '30.00');
            expect(await world.call('WalletService.GetBalance', {}, partner.caller)).toEqual({
              currency: 'SAR',
              current_balance: '80.00',
              available_balance: '50.00',
              display_rate: null,
            });
          },
          'answers the rate of the partner’s display currency': async (world) => {
            const { caller } = await withDisplayRate(world, 'JPY', '40.1');
            expect(await world.call('WalletService.GetBalance', {}, caller)).toMatchObject({
              display_rate: { currency: 'JPY', rate: '40.100000' },
            });
          },
        },
        refuses: {
          NOT_FOUND_WALLET: {
            'a partner without a wallet': (world) =>
              world.call('WalletService.GetBalance', {}, newPartner().caller),
            'the other environment of a partner with one': async (world) =>
              world.call('WalletService.GetBalance', {}, elsewhere(await funded(world, '1.00')).caller),
          },
        },
      },
      ListTransactions: {
        promises: {
          'lists newest first, page by page, ids ascending with time': async (world) => {
            const partner = await funded(world, '10.00');
            for (const amount of ['1.00', '2.00', '3.00']) await deposit(world, partner, amount);
            const lines = await expectPages(world, {
              rpc: 'WalletService.ListTransactions',
              field: 'transactions',
              caller: partner.caller,
            });
            expect(lines.map(({ amount }) => amount)).toEqual(['3.00', '2.00', '1.00', '10.00']);
            expect(lines.map(({ balance_after: after }) => after)).toEqual([
              '16.00',
              '13.00',
              '11.00',
              '10.00',
            ]);
            const ids = lines.map(({ transaction_id: id }) => BigInt(String(id)));
            expect(ids).toEqual([...ids].sort((a, b) => (a > b ? -1 : 1)));
          },
          'keeps to a type, and to a time from inclusive to exclusive': async (world) => {
            const partner = await funded(world, '10.00');
            await captured(world, partner, '4.00');
            const all = list(
              await world.call('WalletService.ListTransactions', {}, partner.caller),
              'transactions',
            );
            const debits = await world.call(
              'WalletService.ListTransactions',
              { transaction_type: 'TRANSACTION_TYPE_DEBIT' },
              partner.caller,
            );
            expect(debits['transactions']).toEqual(all.slice(0, 1));
            const later = new Date(Date.parse(text(all[0], 'occurred_at')) + 1);
            const before = await world.call(
              'WalletService.ListTransactions',
              { from_at: new Date(0), to_at: later },
              partner.caller,
            );
            expect(before['transactions']).toEqual(all);
            const after = await world.call(
              'WalletService.ListTransactions',
              { from_at: later },
              partner.caller,
            );
            expect(after['transactions']).toEqual([]);
          },
          'shows nobody another partner’s lines': async (world) => {
            await funded(world, '10.00');
            const other = await funded(world, '0.00');
            const lines = await world.call('WalletService.ListTransactions', {}, other.caller);
            expect(lines['transactions']).toEqual([]);
          },
        },
        refuses: {
          NOT_FOUND_WALLET: {
            'a partner without a wallet': (world) =>
              world.call('WalletService.ListTransactions', {}, newPartner().caller),
          },
        },
      },
    },
  },
  {
    service: 'WalletService',
    speaksFor: 'whom the request names',
    rpcs: {
      OpenWallet: {
        promises: {
          'opens a wallet in SAR with nothing in it; opening it again answers the same': async (world) => {
            const { ref } = newPartner('live');
            const first = await world.call('WalletService.OpenWallet', ref);
            expect(first['wallet']).toMatchObject({
              ...ref,
              currency: 'SAR',
              current_balance: '0.00',
              available_balance: '0.00',
            });
            expect(await world.call('WalletService.OpenWallet', ref)).toEqual(first);
          },
        },
        refuses: {
          VALIDATION_FAILED: {
            'no environment': (world) =>
              world.call('WalletService.OpenWallet', { partner_id: newPartner().id }),
          },
        },
      },
      CreditWallet: {
        promises: {
          ...isPostedOnce('WalletService.CreditWallet'),
          'adds money as one Deposit': async (world) => {
            const { ref } = await funded(world, '0.00');
            const answer = await fund(world, 'WalletService.CreditWallet', ref, '12.5', { notes: 'cash' });
            expect(answer['transaction']).toMatchObject({
              transaction_type: 'TRANSACTION_TYPE_CREDIT',
              reference_type: 'REFERENCE_TYPE_DEPOSIT',
              amount: '12.50',
              balance_after: '12.50',
              notes: 'cash',
            });
          },
        },
        refuses: fundingRefusals('WalletService.CreditWallet'),
      },
      AdjustWallet: {
        promises: {
          ...isPostedOnce('WalletService.AdjustWallet'),
          'takes money for a negative amount, and shows it positive, as a Debit': async (world) => {
            const { ref } = await funded(world, '10.00');
            const answer = await fund(world, 'WalletService.AdjustWallet', ref, '-2.25');
            expect(answer['transaction']).toMatchObject({
              transaction_type: 'TRANSACTION_TYPE_DEBIT',
              reference_type: 'REFERENCE_TYPE_ADJUSTMENT',
              amount: '2.25',
              balance_after: '7.75',
            });
          },
        },
        refuses: {
          ...fundingRefusals('WalletService.AdjustWallet'),
          BUSINESS_INSUFFICIENT_BALANCE: {
            'more than is available, though it is there': async (world) => {
              const partner = await funded(world, '10.00');
              await reserved(world, partner, '5.00');
              return fund(world, 'WalletService.AdjustWallet', partner.ref, '-5.01');
            },
          },
        },
      },
      ListTransactionsByReference: {
        promises: {
          'lists the lines that name an order or a deposit, oldest first': async (world) => {
            const partner = await funded(world, '10.00');
            const order = await captured(world, partner, '4.00');
            const ofOrder = await world.call('WalletService.ListTransactionsByReference', {
              reference_id: order['reservation_key'],
            });
            expect(ofOrder['transactions']).toMatchObject([{ amount: '4.00' }]);
            const credited = part(await deposit(world, partner, '1.00'), 'transaction');
            const ofDeposit = await world.call('WalletService.ListTransactionsByReference', {
              reference_id: credited['reference_id'],
            });
            expect(ofDeposit['transactions']).toEqual([credited]);
          },
          'lists nothing for a reference nobody used': async (world) => {
            const request = { reference_id: uuidv7() };
            expect(await world.call('WalletService.ListTransactionsByReference', request)).toEqual({
              transactions: [],
            });
          },
        },
        refuses: {
          VALIDATION_FAILED: {
            'no reference': (world) => world.call('WalletService.ListTransactionsByReference', {}),
          },
        },
      },
    },
  },
];
