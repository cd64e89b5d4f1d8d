import type { OutputOf } from '@reseller/client';
import { Option, type Command } from 'commander';
import { performAs } from '../context.ts';
import { listing, mostOf, pageFor, type ListOptions } from '../options.ts';

interface ListFilters extends ListOptions {
  product?: 'Topup' | 'Esim' | 'Scent';
  status?: string;
  from?: string;
  to?: string;
}

type Order = OutputOf<'createTopupOrder', 'string'> | OutputOf<'createEsimOrder', 'string'>;

/** What a person wants to see of an order that a vendor delivers. */
const fieldsOf = (order: Order) => ({
  order: order.orderGlobalId,
  reference: order.externalReference,
  status: order.status,
  amount: `${order.amount} ${order.currency}`,
  ...('phoneNumber' in order
    ? { phone: order.phoneNumber }
    : { product: order.productSku, email: order.email }),
  submitted: order.submittedAt,
  completed: order.completedAt,
  ...(order.errorMessage && { error: order.errorMessage }),
  ...('esimActivationCode' in order && order.esimActivationCode && { activation: order.esimActivationCode }),
});

/** `reseller orders`: list and read orders of every product, order top-ups and eSIMs. */
export function addOrders(program: Command): void {
  const orders = program.command('orders').description('orders of every product');
  listing(orders.command('list').description('your orders, newest first'))
    .addOption(new Option('--product <product>', 'only of this product').choices(['Topup', 'Esim', 'Scent']))
    .option('--status <status>', 'only in this status, such as Completed')
    .option('--from <time>', 'submitted at or after, as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'submitted before')
    .action((options: ListFilters, command: Command) =>
      performAs(command, ({ client, output }) => {
        const { product, status, from, to } = options;
        const filters = {
          ...(product && { productType: product }),
          ...(status && { status }),
          ...(from && { fromDate: from }),
          ...(to && { toDate: to }),
          pageSize: pageFor(options),
        } as Parameters<typeof client.listOrders>[0];
        const columns = {
          ORDER: (order: Item) => order.orderGlobalId,
          PRODUCT: (order: Item) => order.productType,
          REFERENCE: (order: Item) => order.externalReference,
          STATUS: (order: Item) => order.status,
          AMOUNT: (order: Item) => `${order.amount} ${order.currency}`,
          SUBMITTED: (order: Item) => order.submittedAt,
        };
        type Item = OutputOf<'listOrders', 'string'>['items'][number];
        return output.list(client.listOrders(filters), columns, mostOf(options));
      }),
    );
  orders
    .command('get <id>')
    .description('an order of any product by its global id, such as TU-…')
    .action((orderGlobalId: string, _: object, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const { order, ...summary } = await client.getOrderByGlobalId({ orderGlobalId });
        output.record({ ...summary, order }, summary);
      }),
    );
  orders
    .command('timeline <id>')
    .description('what happened to an order, by its global id')
    .action((orderGlobalId: string, _: object, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const { items } = await client.getOrderTimeline({ orderGlobalId });
        type Item = (typeof items)[number];
        const columns = {
          AT: ({ at }: Item) => at,
          WHAT: ({ title }: Item) => title,
          STATUS: ({ status }: Item) => status,
          AMOUNT: ({ amount }: Item) => amount,
        };
        await output.list(items, columns, Infinity);
      }),
    );
  orders
    .command('topup')
    .description('top up a phone number')
    .requiredOption('--reference <text>', 'your own key for the order: the same one again is the same order')
    .requiredOption('--phone <number>', 'in international form, such as +966501234567')
    .requiredOption('--amount <decimal>', 'such as 25.50')
    .option('--geo <id>', 'the geo scope', 'GEO-SA')
    .action((options: Record<'reference' | 'phone' | 'amount' | 'geo', string>, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const order = await client.createTopupOrder({
          externalReference: options.reference,
          geoScopeGlobalId: options.geo,
          amount: options.amount,
          phoneNumber: options.phone,
        });
        output.record(order, fieldsOf(order));
      }),
    );
  orders
    .command('esim')
    .description('order an eSIM at its price of now')
    .requiredOption('--reference <text>', 'your own key for the order: the same one again is the same order')
    .requiredOption('--sku <sku>', 'the product; `reseller catalog esims` lists them')
    .requiredOption('--amount <decimal>', 'the price you expect')
    .requiredOption('--email <address>', 'the traveller’s')
    .option('--geo <id>', 'the geo scope', 'GEO-SA')
    .action((options: Record<'reference' | 'sku' | 'amount' | 'email' | 'geo', string>, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const order = await client.createEsimOrder({
          externalReference: options.reference,
          geoScopeGlobalId: options.geo,
          productSku: options.sku,
          amount: options.amount,
          email: options.email,
        });
        output.record(order, fieldsOf(order));
      }),
    );
}
