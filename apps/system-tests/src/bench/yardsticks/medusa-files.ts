/** Medusa's settings: its own server and modules, in memory what it has in memory by default, nothing of the admin's page. */
export const MEDUSA_CONFIG = `
const { defineConfig } = require('@medusajs/framework/utils');
const cors = 'http://localhost';
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: { storeCors: cors, adminCors: cors, authCors: cors, jwtSecret: 'bench', cookieSecret: 'bench' },
  },
  admin: { disable: true },
});
`;

/** What a store needs before a cart can have a line: a channel and its key, a region, a product with a price. */
export const MEDUSA_SEED = `
const flows = require('@medusajs/medusa/core-flows');
const { writeFileSync } = require('node:fs');
exports.default = async function ({ container }) {
  const run = async (flow, input) => (await flow(container).run({ input })).result;
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'bench' }] });
  const regions = [{ name: 'bench', currency_code: 'sar', countries: ['sa'] }];
  const [region] = await run(flows.createRegionsWorkflow, { regions });
  const keys = [{ title: 'bench', type: 'publishable', created_by: '' }];
  const [key] = await run(flows.createApiKeysWorkflow, { api_keys: keys });
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const profiles = [{ name: 'bench', type: 'default' }];
  const [profile] = await run(flows.createShippingProfilesWorkflow, { data: profiles });
  const variant = {
    title: '50 ml',
    options: { Size: '50 ml' },
    manage_inventory: false,
    prices: [{ amount: 100, currency_code: 'sar' }],
  };
  const product = {
    title: 'Scent',
    status: 'published',
    shipping_profile_id: profile.id,
    sales_channels: [{ id: channel.id }],
    options: [{ title: 'Size', values: ['50 ml'] }],
    variants: [variant],
  };
  const [made] = await run(flows.createProductsWorkflow, { products: [product] });
  const seeded = { key: key.token, regionId: region.id, variantId: made.variants[0].id };
  writeFileSync(process.env.SEEDED_FILE, JSON.stringify(seeded));
};
`;
