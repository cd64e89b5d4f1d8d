import type { OutputOf } from '@reseller/client';
import type { Command } from 'commander';
import { performAs, type Context } from '../context.ts';
import { count, customerOption } from '../options.ts';

interface CartOptions {
  customer?: string;
}

type Cart = OutputOf<'getCart', 'string'>;

const whose = ({ customer }: CartOptions) => (customer ? { customerRef: customer } : {});

async function show({ output }: Context, cart: Cart): Promise<void> {
  if (output.json) return output.record(cart);
  await output.list(
    cart.items,
    {
      VARIANT: ({ variantId }) => variantId,
      SKU: ({ sku }) => sku,
      QUANTITY: ({ quantity }) => quantity,
      PRICE: ({ listPrice }) => listPrice,
      TOTAL: ({ lineTotalWithVat }) => lineTotalWithVat,
    },
    Infinity,
  );
  output.say(`charged with VAT ${cart.chargedWithVat}, your commission ${cart.commissionWithVat}`);
}

/** `reseller cart`: fill, price and check out a cart of scents. */
export function addCart(program: Command): void {
  const cart = program.command('cart').description('carts of scents');
  const child = (usage: string, about: string) =>
    cart.command(usage).description(about).addOption(customerOption());
  cart
    .command('show', { isDefault: true })
    .description('its lines at the prices of now')
    .addOption(customerOption())
    .action((options: CartOptions, command: Command) =>
      performAs(command, async (context) => show(context, await context.client.getCart(whose(options)))),
    );
  child('add <variantId> [quantity]', 'put a variant in').action(
    (variantId: string, quantity: string | undefined, options: CartOptions, command: Command) =>
      performAs(command, async (context) =>
        show(
          context,
          await context.client.addCartItem({
            ...whose(options),
            variantId,
            quantity: count(quantity ?? '1'),
          }),
        ),
      ),
  );
  child('remove <variantId>', 'take a variant out').action(
    (id: string, options: CartOptions, command: Command) =>
      performAs(command, async (context) =>
        show(context, await context.client.removeCartItem({ ...whose(options), id })),
      ),
  );
  child('clear', 'take everything out').action((options: CartOptions, command: Command) =>
    performAs(command, async (context) => show(context, await context.client.clearCart(whose(options)))),
  );
  child('preview', 'what an order would cost')
    .option('--lock', 'hold these prices for fifteen minutes')
    .option('--code <code>', 'with this discount code')
    .action((options: CartOptions & { lock?: boolean; code?: string }, command: Command) =>
      performAs(command, async (context) => {
        const preview = await context.client.previewCheckout({
          ...whose(options),
          ...(options.lock && { lock: true }),
          ...(options.code && { discountCode: options.code }),
        });
        await show(context, preview);
        if (preview.lockId) context.output.say(`lock ${preview.lockId} until ${preview.lockExpiresAt}`);
      }),
    );
  child('checkout', 'order what is in it')
    .requiredOption('--reference <text>', 'your own key for the order: the same one again is the same order')
    .requiredOption('--recipient <name>', 'who receives it')
    .requiredOption('--line1 <text>', 'street and number')
    .requiredOption('--city <text>', 'the city')
    .requiredOption('--phone <number>', 'the recipient’s')
    .option('--country <code>', 'two letters', 'SA')
    .option('--lock <id>', 'the price lock of a preview')
    .option('--code <code>', 'a discount code')
    .action((options: CartOptions & Record<string, string>, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const {
          reference = '',
          recipient = '',
          line1 = '',
          city = '',
          country = '',
          phone = '',
          lock,
          code,
        } = options;
        const order = await client.createScentOrder({
          ...whose(options),
          externalReference: reference,
          shippingAddress: { recipient, line1, city, country, phone },
          ...(lock && { lockId: lock }),
          ...(code && { discountCode: code }),
        });
        output.record(order, {
          order: order.orderGlobalId,
          reference: order.externalReference,
          status: order.status,
          charged: `${order.totalAmountWithVat} ${order.currency}`,
          commission: `${order.totalCommissionWithVat} ${order.currency}`,
          groups: order.fulfillmentGroups.map(({ id, status }) => `${id} ${status}`),
        });
      }),
    );
}
