import type { OrderFundsServiceService } from '@reseller/contracts';
import { validationFailed } from '@reseller/errors';
import type { RpcHandlers } from '@reseller/rpc';
import type { OrderFundsRepository } from './order-funds.repository';

const MOST = 500;

/** What the service of orders' funds works with. */
interface OrderFundsHandlerDeps {
  funds: OrderFundsRepository;
}

/** Serves reseller.finance.v1.OrderFundsService. */
export function createOrderFundsHandlers({
  funds,
}: OrderFundsHandlerDeps): RpcHandlers<typeof OrderFundsServiceService> {
  return {
    async listOrderFunds({ keys }) {
      if (keys.length > MOST) throw validationFailed([{ path: 'keys', message: `must be at most ${MOST}` }]);
      return { funds: await funds.list(keys) };
    },
    async listFundedKeys({ afterKey, limit }) {
      if (limit < 1 || limit > MOST) {
        throw validationFailed([{ path: 'limit', message: `must be from 1 to ${MOST}` }]);
      }
      return { keys: await funds.fundedKeys(afterKey, limit) };
    },
  };
}
