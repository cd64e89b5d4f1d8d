import { expect } from '@jest/globals';
import { walksKeys } from '../common/keys';
import { rpc, service } from '../notation';
import { UNKNOWN } from '../variations';
import { captured, funded, moved, reserved } from './arrange';

/** What the ledger holds of orders, for whoever compares it with the orders. */
export const orderFunds = service('OrderFundsService', {
  ListOrderFunds: rpc(async (world) => [world], {
    'answers what became of each reservation, of any partner, and leaves out unknown keys': async (use) => {
      const [partner, other] = [await funded(use), await funded(use)];
      const held = await reserved(partner, '10.00');
      const charged = await captured(other, '20.00');
      const refunded = await captured(partner, '5.00');
      await partner.call('RefundFunds', { ...refunded, amount: '2.00' });
      const ended = await moved(partner, '30.00', 'ReserveFunds', 'ReleaseFunds');
      const keys = [held, charged, refunded, ended].map(({ reservation_key }) => reservation_key);
      const figures = { amount: expect.any(String), captured: '0.00', refunded: '0.00' };
      const found = await use.list('ListOrderFunds', { keys: [...keys, UNKNOWN] });
      expect(found.sort((a, b) => keys.indexOf(String(a.key)) - keys.indexOf(String(b.key)))).toEqual([
        { ...figures, key: keys[0], state: 'FUNDS_STATE_HELD', amount: '10.00' },
        { ...figures, key: keys[1], state: 'FUNDS_STATE_CHARGED', amount: '20.00', captured: '20.00' },
        { key: keys[2], state: 'FUNDS_STATE_CHARGED', amount: '5.00', captured: '5.00', refunded: '2.00' },
        { ...figures, key: keys[3], state: 'FUNDS_STATE_ENDED' },
      ]);
    },
    'VALIDATION_FAILED: 501 keys': { keys: Array.from({ length: 501 }, (_, index) => `ORD-${index}`) },
  }),
  ListFundedKeys: walksKeys(
    'ListFundedKeys',
    'lists keys that are active or captured in their order, after one, without those that ended',
    async (world) => {
      const partner = await funded(world);
      const live = [await reserved(partner, '1.00'), await captured(partner, '2.00')];
      const ended = await moved(partner, '3.00', 'ReserveFunds', 'ReleaseFunds');
      return { live: live.map(({ reservation_key }) => reservation_key), ended: ended.reservation_key };
    },
  ),
});
