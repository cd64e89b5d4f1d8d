import { isResellerError, type ResellerClient } from '@reseller/client';
import type { Command } from 'commander';
import { performAs } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import type { Output } from '../output.ts';

type Client = ResellerClient<'string'>;

/** What steps leave for those after them. */
interface Tour {
  client: Client;
  /** Begins every reference of this tour. */
  run: string;
  say: (text: string) => void;
}

interface Step {
  title: string;
  shows: string;
  walk: (tour: Tour) => Promise<void>;
}

const PHONE = '+966501234567';
const topup = ({ run }: Tour, name: string, phoneNumber = PHONE) => ({
  externalReference: `${run}-${name}`,
  geoScopeGlobalId: 'GEO-SA',
  amount: '10',
  phoneNumber,
});

/** Fails the step when what it shows is not so. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`this should not happen: ${what}`);
}

const available = async ({ client }: Tour): Promise<string> =>
  (await client.getWalletBalance()).availableBalance;

const STEPS: readonly Step[] = [
  {
    title: 'Your wallet',
    shows: 'Everything you sell is paid from one wallet; the sandbox has one of its own.',
    async walk({ client, say }) {
      const { availableBalance, currency } = await client.getWalletBalance();
      say(`available ${availableBalance} ${currency}`);
    },
  },
  {
    title: 'A top-up',
    shows: 'One call charges the wallet, loads the number and returns the order.',
    async walk(tour) {
      const order = await tour.client.createTopupOrder(topup(tour, 'topup'));
      must(order.status === 'Completed', `the order is ${order.status}`);
      tour.say(`${order.orderGlobalId} ${order.status}, ${order.amount} ${order.currency}`);
    },
  },
  {
    title: 'The same reference again',
    shows: 'A reference is one order for ever: the same one comes back, and nothing is charged twice.',
    async walk(tour) {
      const before = await available(tour);
      const order = await tour.client.createTopupOrder(topup(tour, 'topup'));
      must((await available(tour)) === before, 'the balance moved');
      tour.say(`${order.orderGlobalId} again, still ${before} available`);
    },
  },
  {
    title: 'A response that is lost',
    shows: 'The connection ends after the order was made. The client repeats, and there is one order.',
    async walk(tour) {
      const order = await tour.client.createTopupOrder(topup(tour, 'lost'), {
        sandboxFault: 'drop-response',
      });
      const { pagination } = await tour.client.listOrders({ externalReference: order.externalReference });
      must(pagination.totalCount === 1, `there are ${pagination.totalCount} orders`);
      tour.say(`${order.orderGlobalId} ${order.status}, 1 order`);
    },
  },
  {
    title: 'A vendor that refuses',
    shows: 'The order is Failed and says why; the money is back before you read it.',
    async walk(tour) {
      const before = await available(tour);
      const order = await tour.client.createTopupOrder(topup(tour, 'refused', '+966501230001'));
      must(order.status === 'Failed' && (await available(tour)) === before, `the order is ${order.status}`);
      tour.say(`${order.orderGlobalId} ${order.status}: ${order.errorMessage}`);
    },
  },
  {
    title: 'A refusal of ours',
    shows: 'What cannot be ordered is an error with a code to build on, and the reference stays free.',
    async walk(tour) {
      const refused: unknown = await tour.client
        .createTopupOrder({ ...topup(tour, 'too-much'), amount: '99999' })
        .catch((error: unknown) => error);
      if (!isResellerError(refused, 'BUSINESS_AMOUNT_OUT_OF_RANGE')) throw refused;
      const { minAmount, maxAmount, currency } = refused.details;
      tour.say(`${refused.state}: from ${minAmount} to ${maxAmount} ${currency}`);
    },
  },
  {
    title: 'An eSIM',
    shows: 'A completed order holds the QR code and the code to type.',
    async walk({ client, run, say }) {
      const { items } = await client.listEsimProducts({ geoScopeGlobalId: 'GEO-SA', pageSize: 1 });
      const [product] = items;
      if (!product) throw new UsageError('no eSIM is sold in GEO-SA here');
      const order = await client.createEsimOrder({
        externalReference: `${run}-esim`,
        geoScopeGlobalId: product.geoScopeGlobalId,
        productSku: product.productSku,
        amount: product.amount,
        email: 'traveller@example.com',
      });
      must(order.status === 'Completed' && order.esimQrCode !== null, `the order is ${order.status}`);
      say(
        `${order.orderGlobalId} ${order.status}, ${product.name}, activation code ${order.esimActivationCode}`,
      );
    },
  },
  {
    title: 'A scent, at a price that holds',
    shows: 'A cart, a preview that locks its prices for fifteen minutes, and the order at just that price.',
    async walk({ client, run, say }) {
      const { items } = await client.listVariants({ availability: 'Available', pageSize: 1 });
      const [variant] = items;
      if (!variant) throw new UsageError('no scent is available here');
      const customerRef = run;
      await client.addCartItem({ customerRef, variantId: variant.id, quantity: 1 });
      const preview = await client.previewCheckout({ customerRef, lock: true });
      const order = await client.createScentOrder({
        externalReference: `${run}-scent`,
        customerRef,
        ...(preview.lockId && { lockId: preview.lockId }),
        shippingAddress: {
          recipient: 'Tour',
          line1: 'King Fahd Road 1',
          city: 'Riyadh',
          country: 'SA',
          phone: PHONE,
        },
      });
      must(order.totalAmountWithVat === preview.chargedWithVat, 'the price moved');
      say(
        `${order.orderGlobalId} ${order.status}, ${order.totalAmountWithVat} ${order.currency} as previewed`,
      );
      for (const { id } of order.fulfillmentGroups) {
        await client.shipGroup({ id });
        await client.deliverGroup({ id });
      }
      const delivered = await client.getScentOrder({ orderId: order.id });
      must(delivered.status === 'Completed', `the order is ${delivered.status}`);
      say(`shipped and delivered by rehearsal: ${delivered.status}`);
    },
  },
  {
    title: 'The ledger',
    shows: 'Every halala has a line, and what is left after it.',
    async walk({ client, say }) {
      const { items } = await client.listWalletTransactions({ pageSize: 5 });
      for (const { transactionType, referenceType, amount, balanceAfter } of items)
        say(`${transactionType} ${amount} for ${referenceType}, ${balanceAfter} left`);
      must(
        items[0]?.balanceAfter === (await client.getWalletBalance()).currentBalance,
        'the ledger and the balance differ',
      );
    },
  },
  {
    title: 'The events',
    shows: 'What webhooks say can be read as a feed too, with a cursor of yours: nothing is missed.',
    async walk({ client, run, say }) {
      const wanted = new Set([`${run}-topup`, `${run}-lost`, `${run}-refused`, `${run}-esim`]);
      const seen: string[] = [];
      const signal = AbortSignal.timeout(30_000);
      for await (const { eventType, data } of client.followEvents({ signal })) {
        if (!('externalReference' in data) || !wanted.delete(data.externalReference)) continue;
        seen.push(`${eventType} ${data.externalReference}`);
        if (wanted.size === 0) break;
      }
      // Orders of their own end in any order.
      seen.sort().forEach(say);
    },
  },
];

async function walk(client: Client, output: Output): Promise<void> {
  const run = `tour-${Date.now().toString(36)}`;
  for (const [at, { title, shows, walk: step }] of STEPS.entries()) {
    const said: string[] = [];
    output.say(`${at > 0 ? '\n' : ''}${at + 1}. ${title}`);
    output.say(`   ${shows}`);
    await output.during(title, () => step({ client, run, say: (text) => said.push(text) }));
    if (output.json) output.line({ step: at + 1, title, said }, '');
    else for (const text of said) output.say(`   → ${text}`);
  }
  output.say('\nThat is the whole of it. Next: `reseller certify` says what to show before you go live.');
}

/** `reseller tour`: ten steps that show the product on the sandbox. */
export function addTour(program: Command): void {
  program
    .command('tour')
    .description('ten steps that show the whole product on the sandbox')
    .action((_: object, command: Command) =>
      performAs(command, async ({ client, output }) => {
        // A live token is refused here, before anything is bought.
        await client
          .expirePriceLock({ lockId: '00000000-0000-7000-8000-000000000000' })
          .catch((error: unknown) => {
            if (isResellerError(error, 'FORBIDDEN_SANDBOX_ONLY'))
              throw new UsageError(
                'this is a live credential, and the tour buys things: use one of the sandbox',
              );
            if (!isResellerError(error, 'NOT_FOUND_PRICE_LOCK')) throw error;
          });
        await walk(client, output);
      }),
    );
}
