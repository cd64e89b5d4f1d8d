import { OperatorClient } from '../../clients/operator-client';
import type { TestPartner } from '../../clients/operator-client';
import { Shelf } from '../../clients/scents';
import type { StartedPlatform } from '../../platform/start-platform';
import { fillAndPreview, findVariant } from '../cart-load';
import { checkOut, fillCarts } from '../checkout-load';
import type { CheckoutLoad } from '../checkout-load';
import { readRepeatedly } from '../http-load';
import type { LoadResult } from '../http-load';
import { placeTopups } from '../topup-load';
import { makePartners } from '../partners';

/** Does an operation over and over for so many seconds. */
export type RunOperation = (seconds: number) => Promise<LoadResult>;

/** The most that an operation is to cost. */
interface CostReach {
  /** CPU, as a multiple of a bare Express app's for one request. */
  readonly timesExpress: number;
  readonly walKb?: number;
  readonly rowChanges?: number;
}

/** A hot operation whose cost is measured. */
export interface CostOperation {
  readonly group: string;
  readonly name: string;
  readonly reach: CostReach;
  /** Makes all that is needed for so many seconds of it, so that nothing else is done while it is measured. */
  prepare(platform: StartedPlatform, seconds: number): Promise<RunOperation>;
}

const CLIENTS = 16;
const READERS = 32;
const WALLETS = 100;
const LINES = 5;
/** More than are checked out; a run ends early when none is left. */
const CARTS_A_SECOND = 120;
const DISPLAY_CURRENCY = 'USD';

const topup = (wallets: number, reach: CostReach): CostOperation => ({
  group: 'topup-cost',
  reach,
  name: `POST top-up, ${CLIENTS} connections, ${wallets === 1 ? 'one wallet' : `${wallets} wallets`}`,
  async prepare(platform) {
    const { gatewayUrl } = platform.description;
    const partners = (await makePartners(platform, wallets)).map(({ sandbox }) => sandbox);
    return (seconds) => placeTopups({ gatewayUrl, partners, connections: CLIENTS, seconds });
  },
});

const balance: CostOperation = {
  group: 'balance-cost',
  reach: { timesExpress: 10 },
  name: `GET wallet balance, ${READERS} connections`,
  async prepare(platform) {
    const [partner] = await makePartners(platform, 1);
    const url = `${platform.description.gatewayUrl}/api/v1/wallet/balance`;
    return async (seconds) =>
      readRepeatedly({ url, token: await partner!.sandbox.accessToken(), connections: READERS, seconds });
  },
};

const cart: CostOperation = {
  group: 'cart-cost',
  reach: { timesExpress: 60 },
  name: `Cart add + preview, ${CLIENTS} connections`,
  async prepare(platform) {
    const settings = { displayCurrency: DISPLAY_CURRENCY, marketingEnabled: true };
    const partner = await new OperatorClient(platform.description).newPartner({ settings });
    const variantId = await findVariant(partner);
    const { gatewayUrl } = platform.description;
    return (seconds) => fillAndPreview({ gatewayUrl, partner, variantId, seconds });
  },
};

const checkout: CostOperation = {
  group: 'checkout-cost',
  // Half of what it was when this was first measured: 36.4 ms, where a bare Express app used 0.075 ms.
  reach: { timesExpress: 240 },
  name: `Checkout of a ${LINES}-line cart, ${CLIENTS} connections`,
  async prepare(platform, seconds) {
    const operator = new OperatorClient(platform.description);
    const settings = { displayCurrency: DISPLAY_CURRENCY, commissionRate: 0.1 };
    const partners: TestPartner[] = [];
    while (partners.length < CLIENTS) {
      partners.push(await operator.newPartner({ deposit: 100_000_000, settings }));
    }
    const shelf = new Shelf(operator);
    const goods = await shelf.onOffer();
    for (const { id } of goods) await shelf.set(id, { stockOnHand: 100_000_000, cost: 0 });
    const load: CheckoutLoad = {
      gatewayUrl: platform.description.gatewayUrl,
      partners: partners.map(({ sandbox }) => sandbox),
      variantIds: goods.map(({ id }) => id),
      lines: LINES,
      connections: CLIENTS,
    };
    const carts = await fillCarts(load, CARTS_A_SECOND * seconds);
    return (runSeconds) => checkOut(load, carts.splice(0, CARTS_A_SECOND * runSeconds), runSeconds);
  },
};

/** Every operation whose cost is measured, in the order of the table. */
export const COST_OPERATIONS: readonly CostOperation[] = [
  balance,
  topup(1, { timesExpress: 130, walKb: 6, rowChanges: 16 }),
  topup(WALLETS, { timesExpress: 160 }),
  cart,
  checkout,
];

/** The groups that --only takes for them. */
export const COST_GROUPS: readonly string[] = [...new Set(COST_OPERATIONS.map(({ group }) => group))];
