import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { ServiceContract } from '../contract';
import { elsewhere, newPartner, type World } from '../world';
import { balanceOf, captured, deposit, funded, reserved, reserveRequest } from './arrange';
import { withDisplayRate } from './rate.contract';

const malformed = { partner_id: 'me', environment: 'ENVIRONMENT_UNSPECIFIED' };

/** Reserve, capture or release, refund. */
export const funds: ServiceContract = {
  service: 'FundsService',
  speaksFor: 'whom the request names',
  rpcs: {
    CheckFunds: {
      promises: {
        'answers what could be spent now, without what orders have set aside': async (world) => {
          const partner = await funded(world, '100.00');
          await reserved(world, partner, '30.00');
          expect(await world.call('FundsService.CheckFunds', partner.ref)).toEqual({
            currency: 'SAR',
            available_balance: '70.00',
            display_rate: null,
          });
        },
        'answers the display rate of a partner with a display currency': async (world) => {
          const partner = await withDisplayRate(world, 'USD', '0.2666');
          const answer = await world.call('FundsService.CheckFunds', partner.ref);
          expect(answer['display_rate']).toEqual({ currency: 'USD', rate: '0.266600' });
        },
      },
      refuses: {
        NOT_FOUND_WALLET: {
          'a partner without a wallet': (world) => world.call('FundsService.CheckFunds', newPartner().ref),
          'the environment without one, where the other has one': async (world) =>
            world.call('FundsService.CheckFunds', elsewhere(await funded(world, '5.00')).ref),
        },
        VALIDATION_FAILED: {
          'a partner id that is none': (world) => world.call('FundsService.CheckFunds', malformed),
        },
      },
    },

    ReserveFunds: {
      promises: {
        'sets the amount aside and answers what is left': async (world) => {
          const partner = await funded(world, '100.00');
          const answer = await world.call('FundsService.ReserveFunds', reserveRequest(partner, '30.50'));
          expect(answer).toEqual({ available_balance: '69.50' });
          expect(await balanceOf(world, partner)).toEqual(['100.00', '69.50']);
        },
        'repeated, it answers the first outcome and holds the amount once, also after the capture': async (
          world,
        ) => {
          const partner = await funded(world, '100.00');
          const request = reserveRequest(partner, '30.00');
          const answers = await Promise.all(
            Array.from({ length: 5 }, () => world.call('FundsService.ReserveFunds', request)),
          );
          expect(new Set(answers.map((one) => one['available_balance']))).toEqual(new Set(['70.00']));
          await world.call('FundsService.CaptureFunds', { ...request, amount: '30.00', notes: '' });
          await world.call('FundsService.ReserveFunds', request);
          expect(await balanceOf(world, partner)).toEqual(['70.00', '70.00']);
        },
        'of orders that overspend at once, exactly those succeed that the balance covers': async (world) => {
          const partner = await funded(world, '20.00');
          const outcomes = await Promise.allSettled(
            Array.from({ length: 6 }, () =>
              world.call('FundsService.ReserveFunds', reserveRequest(partner, '7.00')),
            ),
          );
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
          expect(await balanceOf(world, partner)).toEqual(['20.00', '6.00']);
        },
        'a refusal uses no key: with the money there, the same call succeeds': async (world) => {
          const partner = await funded(world, '1.00');
          const request = reserveRequest(partner, '5.00');
          await expect(world.call('FundsService.ReserveFunds', request)).rejects.toMatchObject({
            code: 'BUSINESS_INSUFFICIENT_BALANCE',
          });
          await deposit(world, partner, '4.00');
          expect(await world.call('FundsService.ReserveFunds', request)).toEqual({
            available_balance: '0.00',
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'an amount of nothing': async (world) =>
            world.call('FundsService.ReserveFunds', reserveRequest(newPartner(), '0.00')),
        },
        NOT_FOUND_WALLET: {
          'a partner without a wallet': (world) =>
            world.call('FundsService.ReserveFunds', reserveRequest(newPartner(), '1.00')),
        },
        BUSINESS_INSUFFICIENT_BALANCE: {
          'more than is available': async (world) =>
            world.call('FundsService.ReserveFunds', reserveRequest(await funded(world, '9.99'), '10.00')),
        },
        CONFLICT_ORDER_STATE: {
          'a key that was released': async (world) => {
            const partner = await funded(world, '50.00');
            const request = reserveRequest(partner, '10.00');
            await world.call('FundsService.ReserveFunds', request);
            await world.call('FundsService.ReleaseFunds', request);
            return world.call('FundsService.ReserveFunds', request);
          },
          'a key that was released before it was reserved': async (world) => {
            const request = reserveRequest(await funded(world, '50.00'), '10.00');
            await world.call('FundsService.ReleaseFunds', request);
            return world.call('FundsService.ReserveFunds', request);
          },
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: {
          'the same key with another amount': async (world) => {
            const request = reserveRequest(await funded(world, '50.00'), '10.00');
            await world.call('FundsService.ReserveFunds', request);
            return world.call('FundsService.ReserveFunds', { ...request, amount: '10.01' });
          },
          'a key that another partner has': async (world) => {
            const request = reserveRequest(await funded(world, '50.00'), '10.00');
            await world.call('FundsService.ReserveFunds', request);
            const other = await funded(world, '50.00');
            return world.call('FundsService.ReserveFunds', { ...request, ...other.ref });
          },
        },
      },
    },

    PinReservation: {
      promises: {
        'makes a reservation last, and may be repeated': async (world) => {
          const partner = await funded(world, '50.00');
          const request = { ...reserveRequest(partner, '10.00'), pinned: false };
          await world.call('FundsService.ReserveFunds', request);
          expect(await world.call('FundsService.PinReservation', request)).toEqual({});
          expect(await world.call('FundsService.PinReservation', request)).toEqual({});
          expect(await balanceOf(world, partner)).toEqual(['50.00', '40.00']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no key': (world) => world.call('FundsService.PinReservation', newPartner().ref),
        },
        CONFLICT_ORDER_STATE: {
          'a reservation that was never made': async (world) =>
            world.call('FundsService.PinReservation', reserveRequest(await funded(world, '5.00'), '1.00')),
          'one that was released': async (world) => {
            const order = await reserved(world, await funded(world, '5.00'), '1.00');
            await world.call('FundsService.ReleaseFunds', order);
            return world.call('FundsService.PinReservation', order);
          },
        },
      },
    },

    CaptureFunds: {
      promises: {
        'takes the amount, or less, frees the rest and posts one Debit': async (world) => {
          const partner = await funded(world, '100.00');
          const order = await reserved(world, partner, '40.00');
          const answer = await world.call('FundsService.CaptureFunds', {
            ...order,
            amount: '25.50',
            notes: 'Top-up',
          });
          expect(answer).toMatchObject({ balance_after: '74.50' });
          expect(await balanceOf(world, partner)).toEqual(['74.50', '74.50']);
          const lines = await world.call('WalletService.ListTransactions', {}, partner.caller);
          expect(lines['transactions']).toMatchObject([
            {
              transaction_id: answer['transaction_id'],
              transaction_type: 'TRANSACTION_TYPE_DEBIT',
              reference_type: 'REFERENCE_TYPE_ORDER',
              reference_id: order['reservation_key'],
              amount: '25.50',
              balance_after: '74.50',
              notes: 'Top-up',
            },
            { reference_type: 'REFERENCE_TYPE_DEPOSIT' },
          ]);
        },
        'repeated, it answers the first outcome and charges once': async (world) => {
          const partner = await funded(world, '100.00');
          const request = { ...(await reserved(world, partner, '40.00')), amount: '40.00', notes: '' };
          const first = await world.call('FundsService.CaptureFunds', request);
          const more = await Promise.all(
            Array.from({ length: 4 }, () => world.call('FundsService.CaptureFunds', request)),
          );
          expect(new Set(more.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(first)]));
          expect(await balanceOf(world, partner)).toEqual(['60.00', '60.00']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'three decimals': async (world) =>
            world.call('FundsService.CaptureFunds', {
              ...(await reserved(world, await funded(world, '5.00'), '1.00')),
              amount: '0.001',
            }),
        },
        CONFLICT_ORDER_STATE: {
          'a reservation that was never made': async (world) =>
            world.call('FundsService.CaptureFunds', reserveRequest(await funded(world, '5.00'), '1.00')),
          'one that was released': async (world) => {
            const order = await reserved(world, await funded(world, '5.00'), '1.00');
            await world.call('FundsService.ReleaseFunds', order);
            return world.call('FundsService.CaptureFunds', { ...order, amount: '1.00' });
          },
          'more than was reserved': async (world) =>
            world.call('FundsService.CaptureFunds', {
              ...(await reserved(world, await funded(world, '5.00'), '1.00')),
              amount: '1.01',
            }),
          'another partner’s reservation': async (world) => {
            const order = await reserved(world, await funded(world, '5.00'), '1.00');
            const other = await funded(world, '5.00');
            return world.call('FundsService.CaptureFunds', { ...order, ...other.ref, amount: '1.00' });
          },
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: {
          'captured before with another amount': async (world) =>
            world.call('FundsService.CaptureFunds', {
              ...(await captured(world, await funded(world, '5.00'), '2.00')),
              amount: '1.00',
              notes: 'order',
            }),
        },
      },
    },

    ReleaseFunds: {
      promises: {
        'frees the amount, and may be repeated': async (world) => {
          const partner = await funded(world, '50.00');
          const order = await reserved(world, partner, '20.00');
          expect(await world.call('FundsService.ReleaseFunds', order)).toEqual({});
          expect(await world.call('FundsService.ReleaseFunds', order)).toEqual({});
          expect(await balanceOf(world, partner)).toEqual(['50.00', '50.00']);
        },
        'succeeds for a reservation that was never made, and bars its key': async (world) => {
          const partner = await funded(world, '50.00');
          const request = reserveRequest(partner, '20.00');
          expect(await world.call('FundsService.ReleaseFunds', request)).toEqual({});
          await expect(world.call('FundsService.ReserveFunds', request)).rejects.toMatchObject({
            code: 'CONFLICT_ORDER_STATE',
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no key': (world) => world.call('FundsService.ReleaseFunds', newPartner().ref),
        },
        CONFLICT_ORDER_STATE: {
          'what was captured': async (world) =>
            world.call(
              'FundsService.ReleaseFunds',
              await captured(world, await funded(world, '5.00'), '2.00'),
            ),
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: {
          'a key that another partner has': async (world) => {
            const order = await reserved(world, await funded(world, '5.00'), '2.00');
            return world.call('FundsService.ReleaseFunds', {
              ...order,
              ...(await funded(world, '5.00')).ref,
            });
          },
        },
      },
    },

    RefundFunds: {
      promises: {
        'gives back in parts that never exceed the capture, each one Credit (Refund)': async (world) => {
          const partner = await funded(world, '100.00');
          const order = await captured(world, partner, '40.00');
          const first = await refund(world, order, '15.00');
          expect(first).toMatchObject({ balance_after: '75.00' });
          expect(await refund(world, order, '25.00')).toMatchObject({ balance_after: '100.00' });
          await expect(refund(world, order, '0.01')).rejects.toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
          const lines = await world.call('WalletService.ListTransactionsByReference', {
            reference_id: order['reservation_key'],
          });
          expect(lines['transactions']).toMatchObject([
            { reference_type: 'REFERENCE_TYPE_ORDER', amount: '40.00' },
            {
              reference_type: 'REFERENCE_TYPE_REFUND',
              transaction_type: 'TRANSACTION_TYPE_CREDIT',
              amount: '15.00',
              transaction_id: first['transaction_id'],
            },
            { reference_type: 'REFERENCE_TYPE_REFUND', amount: '25.00' },
          ]);
        },
        'repeated under its operation key, it answers the first outcome': async (world) => {
          const partner = await funded(world, '100.00');
          const order = await captured(world, partner, '40.00');
          const first = await refund(world, order, '15.00', 'refund-1');
          expect(await refund(world, order, '15.00', 'refund-1')).toEqual(first);
          expect(await balanceOf(world, partner)).toEqual(['75.00', '75.00']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no operation key': async (world) =>
            refund(world, await captured(world, await funded(world, '5.00'), '2.00'), '1.00', ''),
        },
        CONFLICT_ORDER_STATE: {
          'what was not captured': async (world) =>
            refund(world, await reserved(world, await funded(world, '5.00'), '2.00'), '1.00'),
          'more than was captured': async (world) =>
            refund(world, await captured(world, await funded(world, '5.00'), '2.00'), '2.01'),
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: {
          'the operation key with another amount': async (world) => {
            const order = await captured(world, await funded(world, '5.00'), '2.00');
            await refund(world, order, '1.00', 'refund-1');
            return refund(world, order, '0.50', 'refund-1');
          },
        },
      },
    },
  },
};

const refund = (world: World, order: object, amount: string, operationKey = `refund:${uuidv7()}`) =>
  world.call('FundsService.RefundFunds', { ...order, operation_key: operationKey, amount, notes: '' });
