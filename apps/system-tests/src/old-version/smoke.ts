import { halalas, newEsim, newTopup } from '../clients/bodies';
import { insistOn } from '../clients/insist';
import { OperatorClient } from '../clients/operator-client';
import { addToCart, newScentOrder, orderScents, readScentOrder, Shelf } from '../clients/scents';
import { startReceiver } from '../clients/webhook-receiver';
import type { PlatformDescription } from '../platform/platform-file';
import { until } from '../until';

const DEPOSIT = 5_000;
const EACH = 5;

/** One thing that a platform must still do, and what it did instead, if it did not. */
interface SmokeResult {
  readonly what: string;
  readonly fault: string | undefined;
}

/** Goes once through all that partners and operators do most, with money and webhooks, each part by itself. */
export async function smoke(platform: PlatformDescription): Promise<SmokeResult[]> {
  const operator = new OperatorClient(platform);
  const results: SmokeResult[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const fault = await work().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300),
    );
    results.push({ what, fault });
  };
  const receiver = await startReceiver();
  try {
    const partner = await operator.newPartner({ deposit: DEPOSIT });
    const { live, sandbox } = partner;
    await attempt('a webhook subscription', () =>
      until(
        'it is made',
        async () => {
          const response = await live.call('/webhooks', {
            body: { url: receiver.url, eventTypes: ['order.completed'] },
          });
          return response.status === 201;
        },
        10_000,
      ),
    );
    let spent = 0;
    await attempt(`${EACH} top-ups, live and sandbox`, async () => {
      for (let n = 0; n < EACH; n += 1) {
        const body = newTopup({ amount: 10 + n });
        const first = await insistOn(() => live.topup(body));
        if (first.status !== 'Completed') throw new Error(`live top-up is ${first.status}`);
        const again = await insistOn(() => live.topup(body));
        if (again.orderId !== first.orderId) throw new Error('a repetition made another order');
        spent += halalas(body.amount);
        const trial = newTopup();
        const { status } = await insistOn(() => sandbox.topup(trial));
        if (status !== 'Completed') throw new Error(`sandbox top-up is ${status}`);
      }
    });
    await attempt(`${EACH} eSIMs`, async () => {
      for (let n = 0; n < EACH; n += 1) {
        const body = newEsim();
        const { status } = await insistOn(() => live.esim(body));
        if (status !== 'Completed') throw new Error(`eSIM is ${status}`);
        spent += halalas(body.amount);
      }
    });
    await attempt('a cart and its checkout, shipped and delivered', async () => {
      const [variant] = (await new Shelf(operator).onOffer()).filter(({ stockOnHand }) => stockOnHand > 10);
      await addToCart(live, variant?.id ?? '', 2);
      const body = newScentOrder();
      const order = await insistOn(() => orderScents(live, body));
      spent +=
        halalas(order.totalAmountWithVat ?? 0) -
        halalas((order as { totalCommissionWithVat?: number }).totalCommissionWithVat ?? 0);
      for (const { id } of order.fulfillmentGroups) {
        await operator.post(`/fulfillment-groups/${id}/ship`);
        await operator.post(`/fulfillment-groups/${id}/deliver`);
      }
      const { status } = await readScentOrder(live, order.id);
      if (status !== 'Completed') throw new Error(`delivered scent order is ${status}`);
    });
    await attempt('the balance, to the halala', async () => {
      const { currentBalance, availableBalance } = await live.balance();
      const expected = DEPOSIT * 100 - spent;
      if (halalas(currentBalance) !== expected || halalas(availableBalance) !== expected) {
        throw new Error(`${currentBalance} and ${availableBalance}, expected ${expected / 100}`);
      }
    });
    await attempt('lists of orders and transactions', async () => {
      const orders = await live.allOrders();
      if (orders.length !== 2 * EACH + 1) throw new Error(`${orders.length} orders`);
      if ((await live.transactions()).length < 2 * EACH + 2) throw new Error('too few transactions');
    });
    await attempt('a webhook for each completed order', () => receiver.waitFor(2 * EACH + 1));
    await attempt('a statement', () =>
      operator.post('/statements', {
        partnerId: partner.id,
        environment: 'live',
        periodFrom: new Date(Date.now() - 86_400_000).toISOString(),
        periodTo: new Date(Date.now() - 1).toISOString(),
      }),
    );
  } finally {
    await receiver.stop();
  }
  return results;
}
