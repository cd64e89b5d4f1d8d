import type { Command } from 'commander';
import { performAs } from '../context.ts';
import { listing, mostOf, pageFor, type ListOptions } from '../options.ts';

/** `reseller catalog`: what is sold, where, and for how much. */
export function addCatalog(program: Command): void {
  const catalog = program.command('catalog').description('what is sold, where, and for how much');
  catalog
    .command('geo-scopes')
    .description('where top-ups and eSIMs are sold')
    .action((_: object, command: Command) =>
      performAs(command, async ({ client, output }) =>
        output.list(
          await client.listGeoScopes(),
          {
            ID: ({ globalId }) => globalId,
            NAME: ({ name }) => name,
            PRODUCTS: ({ products }) => products,
            'TOP-UP': ({ topup, currency }) => topup && `${topup.minAmount}–${topup.maxAmount} ${currency}`,
          },
          Infinity,
        ),
      ),
    );
  listing(catalog.command('esims').description('eSIM plans with their prices'))
    .option('--geo <id>', 'only for this geo scope')
    .action((options: ListOptions & { geo?: string }, command: Command) =>
      performAs(command, ({ client, output }) =>
        output.list(
          client.listEsimProducts({
            pageSize: pageFor(options),
            ...(options.geo && { geoScopeGlobalId: options.geo }),
          }),
          {
            SKU: ({ productSku }) => productSku,
            NAME: ({ name }) => name,
            DATA: ({ dataAllowance }) => `${dataAllowance} GB`,
            DAYS: ({ validityDays }) => validityDays,
            PRICE: ({ amount, currency }) => `${amount} ${currency}`,
          },
          mostOf(options),
        ),
      ),
    );
  listing(catalog.command('scents').description('scents, by name or brand'))
    .option('--search <text>', 'in their names')
    .action((options: ListOptions & { search?: string }, command: Command) =>
      performAs(command, ({ client, output }) =>
        output.list(
          client.listScents({
            pageSize: pageFor(options),
            ...(options.search && { search: options.search }),
          }),
          { ID: ({ id }) => id, NAME: ({ name }) => name, GENDER: ({ gender }) => gender },
          mostOf(options),
        ),
      ),
    );
  listing(catalog.command('variants').description('what goes into a cart, with its price'))
    .option('--available', 'only what can be bought now')
    .option('--scent <id>', 'only of this scent')
    .action((options: ListOptions & { available?: boolean; scent?: string }, command: Command) =>
      performAs(command, ({ client, output }) =>
        output.list(
          client.listVariants({
            pageSize: pageFor(options),
            ...(options.available && { availability: 'Available' }),
            ...(options.scent && { scentId: options.scent }),
          }),
          {
            ID: ({ id }) => id,
            SKU: ({ sku }) => sku,
            SIZE: ({ sizeMl }) => `${sizeMl} ml`,
            PRICE: ({ listPrice, baseCurrency }) => `${listPrice} ${baseCurrency}`,
            STOCK: ({ availability, availableQuantity }) => availableQuantity ?? availability,
          },
          mostOf(options),
        ),
      ),
    );
}
