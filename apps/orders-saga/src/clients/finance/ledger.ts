import { FundsState, type OrderFunds, type OrderFundsServiceService } from '@reseller/contracts';
import type { RpcClient } from '@reseller/rpc';

/** What finance has on record of orders. */
export interface Ledger {
  /** By the order's global id. */
  funds(keys: readonly string[]): Promise<Map<string, OrderFunds>>;
  /** Global ids for which money is held or was charged. */
  fundedKeys(after: string, limit: number): Promise<string[]>;
}

/** Whether a record of finance's stands for money. */
export const isFunded = (record: OrderFunds | undefined): boolean =>
  record?.state === FundsState.HELD || record?.state === FundsState.CHARGED;

const call = { requestId: 'reconciliation' };

/** Finance by gRPC. */
export function createLedger(client: RpcClient<typeof OrderFundsServiceService>): Ledger {
  return {
    async funds(keys) {
      const { funds } = await client.listOrderFunds({ keys: [...keys] }, call);
      return new Map(funds.map((record) => [record.key, record]));
    },
    fundedKeys: async (afterKey, limit) => (await client.listFundedKeys({ afterKey, limit }, call)).keys,
  };
}
