import { call } from './api.js';
import {
  openForm,
  card,
  facts,
  field,
  filters,
  h,
  money,
  moment,
  mono,
  number,
  pager,
  pill,
  table,
  title,
  toast,
} from './dom.js';

const TONES = { Available: 'good', Limited: 'wait', Unavailable: 'bad' };
const orNull = (text) => (text === '' ? null : text);
const amountOf = (text) => (text === '' ? undefined : Number(text));

const availabilities = [
  ['', 'Any availability'],
  ['Available', 'Available'],
  ['Limited', 'Limited'],
  ['Unavailable', 'Unavailable'],
];

const environments = [
  ['live', 'Live'],
  ['sandbox', 'Sandbox'],
];

/** What can be bought, in live and in the sandbox. */
const availableOf = (variant) =>
  variant.stock.map(
    ({ environment, stockOnHand, stockReserved }) =>
      `${stockOnHand - stockReserved} of ${stockOnHand} ${environment}`,
  );

const stateOf = (variant) =>
  variant.isActive ? pill(variant.availability, TONES[variant.availability]) : pill('Off sale', 'bad');

export async function catalogPage(main, values) {
  const list = h('div');
  const load = async (page = 1) => {
    const given = Object.entries(values).filter(([, value]) => value);
    const { items, pagination } = await call(
      'GET',
      `/variants?${new URLSearchParams([...given, ['page', page]])}`,
    );
    const rows = items.map((variant) => [
      h('a', { href: `#/catalog/${variant.id}` }, mono(variant.sku)),
      `${variant.brandName}, ${variant.scentName}`,
      variant.warehouse,
      number(money(variant.listPrice)),
      number(money(variant.cost)),
      number(availableOf(variant).join(', ')),
      stateOf(variant),
    ]);
    const headings = ['Sku', 'Scent', 'Warehouse', 'List price', 'Cost', 'Available', ''];
    list.replaceChildren(table(headings, rows, 'No such variant.'), pager(pagination, load));
  };
  const bar = filters(
    [
      field('Sku, scent or brand', 'search', { value: values.search ?? '', maxlength: 128 }),
      field('Availability', 'availability', { options: availabilities, value: values.availability ?? '' }),
      field('On sale', 'isActive', {
        options: [
          ['', 'On and off sale'],
          ['true', 'On sale'],
          ['false', 'Off sale'],
        ],
        value: values.isActive ?? '',
      }),
    ],
    (changed) => {
      location.hash = `#/catalog?${new URLSearchParams(Object.entries(changed).filter(([, value]) => value))}`;
    },
  );
  await load();
  main.replaceChildren(title('Catalog'), card(bar, list), await brandsCard());
}

async function brandsCard() {
  const { items } = await call('GET', '/brands?pageSize=100');
  const change = (brand) =>
    openForm({
      heading: brand.name,
      fields: [
        field('Commission rate, a fraction; empty for the platform’s', 'commissionRate', {
          type: 'number',
          step: 'any',
          min: 0,
          max: 1,
          value: brand.commissionRate ?? '',
        }),
      ],
      action: 'Change',
      submit: async ({ commissionRate }) => {
        const rate = commissionRate === '' ? null : Number(commissionRate);
        await call('PATCH', `/brands/${brand.id}`, { commissionRate: rate });
        toast(`${brand.name} is changed.`);
        dispatchEvent(new Event('hashchange'));
      },
    });
  const rows = items.map((brand) => [
    brand.name,
    brand.commissionRate === null ? 'The platform’s' : String(brand.commissionRate),
    h('button', { class: 'quiet', onclick: () => change(brand) }, 'Change'),
  ]);
  return card(h('h2', {}, 'Brands'), table(['Name', 'Commission rate', ''], rows));
}

export async function variantPage(main, id) {
  const variant = await call('GET', `/variants/${id}`);
  const reload = () => variantPage(main, id);
  const prices = variant.partnerPrices.map(({ partnerId, listPrice }) => [
    h('a', { href: `#/partners/${partnerId}` }, mono(partnerId)),
    number(money(listPrice)),
  ]);
  main.replaceChildren(
    title(variant.sku),
    card(
      facts({
        Scent: `${variant.brandName}, ${variant.scentName}, ${variant.sizeMl} ml`,
        State: stateOf(variant),
        ...Object.fromEntries(
          variant.stock.map(({ environment, stockOnHand, stockReserved }) => [
            `Stock, ${environment}`,
            `${stockOnHand} on hand in ${variant.warehouse}, ${stockReserved} reserved`,
          ]),
        ),
        'List price': money(variant.listPrice),
        Cost: money(variant.cost),
        'Recommended price': variant.rrp === null ? undefined : money(variant.rrp),
        VAT: variant.taxClassification === 'ZERO' ? '0 %' : '15 %',
        Sample: variant.isSample ? 'Yes' : 'No',
        'First offered': moment(variant.firstOfferedAt),
        'Back in stock': moment(variant.restockedAt),
      }),
      h(
        'div',
        { class: 'buttons' },
        h('button', { class: 'main', onclick: () => changeVariant(variant, reload) }, 'Change'),
        h('button', { onclick: () => addStock(variant, reload) }, 'Add or take stock'),
        ...variant.stock.map((level) =>
          h('button', { onclick: () => setStock(variant, level, reload) }, `Set ${level.environment} stock`),
        ),
      ),
    ),
    card(
      h('h2', {}, 'Prices of partners'),
      table(['Partner', 'List price'], prices, 'Everyone pays the list price.'),
      h(
        'div',
        { class: 'buttons' },
        h('button', { onclick: () => setPrice(variant, reload) }, 'Set a price'),
      ),
    ),
  );
}

function changeVariant(variant, reload) {
  const sar = { type: 'number', step: '0.01', min: 0 };
  openForm({
    heading: variant.sku,
    fields: [
      field('List price, SAR', 'listPrice', { ...sar, value: variant.listPrice }),
      field('Cost, SAR', 'cost', { ...sar, value: variant.cost }),
      field('Recommended price, SAR; empty for none', 'rrp', { ...sar, value: variant.rrp ?? '' }),
      field('On sale', 'isActive', { type: 'checkbox', checked: variant.isActive }),
    ],
    action: 'Change',
    submit: async (values) => {
      const wanted = {
        listPrice: amountOf(values.listPrice),
        cost: amountOf(values.cost),
        rrp: orNull(values.rrp) === null ? null : Number(values.rrp),
        isActive: values.isActive,
      };
      // Only what was touched: the rest may have changed since the page was read.
      const changes = Object.entries(wanted).filter(
        ([key, value]) => value !== undefined && value !== variant[key],
      );
      if (changes.length > 0) await call('PATCH', `/variants/${variant.id}`, Object.fromEntries(changes));
      toast(`${variant.sku} is changed.`);
      await reload();
    },
  });
}

/** Units that came or went: right whatever was sold since the page was read. */
function addStock(variant, reload) {
  openForm({
    heading: `Stock of ${variant.sku}`,
    fields: [
      field('Units that came; less than 0 for units that went', 'delta', {
        type: 'number',
        step: 1,
        required: true,
      }),
      field('Environment', 'environment', { options: [['', 'Live and sandbox'], ...environments] }),
    ],
    action: 'Add',
    submit: async ({ delta, environment }) => {
      const where = environment === '' ? {} : { environment };
      await call('POST', `/variants/${variant.id}/stock`, { delta: Number(delta), ...where });
      toast(`The stock of ${variant.sku} is changed.`);
      await reload();
    },
  });
}

/** A number that was counted: refused when something was sold or came since the page was read. */
function setStock(variant, { environment, stockOnHand }, reload) {
  openForm({
    heading: `Stock of ${variant.sku}, ${environment}`,
    fields: [
      field(`Stock on hand; ${stockOnHand} when this page was read`, 'stockOnHand', {
        type: 'number',
        step: 1,
        min: 0,
        required: true,
        value: stockOnHand,
      }),
    ],
    action: 'Set',
    submit: async (values) => {
      const changes = {
        environment,
        stockOnHand: Number(values.stockOnHand),
        expectedStockOnHand: stockOnHand,
      };
      await call('PATCH', `/variants/${variant.id}`, changes);
      toast(`The stock of ${variant.sku} is changed.`);
      await reload();
    },
  });
}

function setPrice(variant, reload) {
  openForm({
    heading: `Price of ${variant.sku} for one partner and those under it`,
    fields: [
      field('Partner id', 'partnerId', { required: true }),
      field('List price, SAR', 'listPrice', { type: 'number', step: '0.01', min: '0.01', required: true }),
    ],
    action: 'Set',
    submit: async ({ partnerId, listPrice }) => {
      const path = `/variants/${variant.id}/partner-prices/${encodeURIComponent(partnerId)}`;
      await call('PUT', path, { listPrice: Number(listPrice) });
      toast('The price is set.');
      await reload();
    },
  });
}
