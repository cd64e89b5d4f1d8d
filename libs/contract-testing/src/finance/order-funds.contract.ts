import { walksKeys } from '../common/keys';
import { rpc, service } from '../contract';
import { UNKNOWN } from '../variations';
import { captured, funded, moved, reserved } from './arrange';

/** What the ledger holds of orders, for whoever compares it with the orders. */
export const orderFunds = service('OrderFundsService', {
  ListOrderFunds: rpc((world) => [world], {
    'returns what became of each reservation, of any partner, and leaves out unknown keys': async (use) => {
      const [partner, other] = [await funded(use), await funded(use)];
      const refunded = await captured(partner, '5.00');
      await partner.call('RefundFunds', { ...refunded, amount: '2.00' });
      const orders = [
        await reserved(partner, '10.00'),
        await captured(other, '20.00'),
        refunded,
        await moved(partner, '30.00', 'ReserveFunds', 'ReleaseFunds'),
      ];
      const keys = orders.map(({ reservation_key }) => reservation_key);
      const found = await use.list('ListOrderFunds', { keys: [...keys, UNKNOWN] });
      return found.sort((a, b) => keys.indexOf(String(a.key)) - keys.indexOf(String(b.key)));
    },
    'VALIDATION_FAILED: 501 keys': { keys: Array.from({ length: 501 }, (_, index) => `ORD-${index}`) },
  }),
  ListFundedKeys: walksKeys(
    'lists keys that are active or captured in their order, after one, without those that ended',
    async (world) => {
      const partner = await funded(world);
      const live = [await reserved(partner, '1.00'), await captured(partner, '2.00')];
      const ended = await moved(partner, '3.00', 'ReserveFunds', 'ReleaseFunds');
      return { live: live.map(({ reservation_key }) => reservation_key), ended: ended.reservation_key };
    },
  ),
});
