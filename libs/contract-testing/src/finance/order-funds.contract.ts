import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { ServiceContract } from '../contract';
import { captured, funded, reserved } from './arrange';

/** What the ledger holds of orders, for whoever compares it with the orders. */
export const orderFunds: ServiceContract = {
  service: 'OrderFundsService',
  speaksFor: 'whom the request names',
  rpcs: {
    ListOrderFunds: {
      promises: {
        'answers what became of each reservation, of any partner, and leaves out unknown keys': async (
          world,
        ) => {
          const partner = await funded(world, '100.00');
          const held = await reserved(world, partner, '10.00');
          const charged = await captured(world, await funded(world, '50.00'), '20.00');
          const refunded = await captured(world, partner, '5.00');
          await world.call('FundsService.RefundFunds', {
            ...refunded,
            operation_key: uuidv7(),
            amount: '2.00',
            notes: '',
          });
          const ended = await reserved(world, partner, '30.00');
          await world.call('FundsService.ReleaseFunds', ended);
          const keys = [held, charged, refunded, ended].map((one) => one['reservation_key']);
          const answer = await world.call('OrderFundsService.ListOrderFunds', {
            keys: [...keys, `ORD-${uuidv7()}`],
          });
          const figures = { amount: expect.any(String), captured: '0.00', refunded: '0.00' };
          const expected = [
            { ...figures, key: keys[0], state: 'FUNDS_STATE_HELD', amount: '10.00' },
            { ...figures, key: keys[1], state: 'FUNDS_STATE_CHARGED', amount: '20.00', captured: '20.00' },
            {
              key: keys[2],
              state: 'FUNDS_STATE_CHARGED',
              amount: '5.00',
              captured: '5.00',
              refunded: '2.00',
            },
            { ...figures, key: keys[3], state: 'FUNDS_STATE_ENDED' },
          ];
          expect(answer['funds']).toHaveLength(4);
          expect(answer['funds']).toEqual(expect.arrayContaining(expected));
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          '501 keys': (world) =>
            world.call('OrderFundsService.ListOrderFunds', {
              keys: Array.from({ length: 501 }, (_, index) => `ORD-${index}`),
            }),
        },
      },
    },
    ListFundedKeys: {
      promises: {
        'lists keys that are active or captured in their order, after one, without those that ended': async (
          world,
        ) => {
          const partner = await funded(world, '100.00');
          const orders = [
            await reserved(world, partner, '1.00'),
            await captured(world, partner, '2.00'),
            await reserved(world, partner, '3.00'),
          ];
          await world.call('FundsService.ReleaseFunds', orders[2] ?? {});
          const keys: unknown[] = [];
          for (let after = ''; ;) {
            const page = (
              await world.call('OrderFundsService.ListFundedKeys', { after_key: after, limit: 2 })
            )['keys'] as string[];
            expect(page.length).toBeLessThanOrEqual(2);
            keys.push(...page);
            if (page.length === 0) break;
            after = page[page.length - 1] ?? '';
          }
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys).toEqual(
            expect.arrayContaining([orders[0]?.['reservation_key'], orders[1]?.['reservation_key']]),
          );
          expect(keys).not.toContain(orders[2]?.['reservation_key']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'a limit of 0': (world) => world.call('OrderFundsService.ListFundedKeys', { limit: 0 }),
          'a limit of 501': (world) => world.call('OrderFundsService.ListFundedKeys', { limit: 501 }),
        },
      },
    },
  },
};
