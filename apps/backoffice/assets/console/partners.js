import { call } from './api.js';
import {
  openForm,
  card,
  environments,
  facts,
  field,
  h,
  moment,
  mono,
  pager,
  pill,
  show,
  table,
  title,
  toast,
} from './dom.js';

const orNull = (text) => (text === '' ? null : text);

const settingsFields = (partner = {}) => [
  field('Name', 'name', { required: true, maxlength: 200, value: partner.name ?? '' }),
  field('Parent partner id', 'parentPartnerId', { value: partner.parentPartnerId ?? '' }),
  field('Display currency', 'displayCurrency', { value: partner.displayCurrency ?? '', maxlength: 3 }),
  field('Tax registration number', 'taxRegistrationNumber', { value: partner.taxRegistrationNumber ?? '' }),
  field('Commission rate, a fraction', 'commissionRate', {
    type: 'number',
    step: 'any',
    min: 0,
    max: 1,
    value: partner.commissionRate ?? '',
  }),
  field('Billing e-mail', 'billingEmail', { type: 'email', value: partner.billingEmail ?? '' }),
  field('VAT-registered', 'isVatRegistered', { type: 'checkbox', checked: partner.isVatRegistered ?? false }),
  field('Marketing block', 'marketingEnabled', {
    type: 'checkbox',
    checked: partner.marketingEnabled ?? false,
  }),
];

const settingsOf = (values) => ({
  ...values,
  parentPartnerId: orNull(values.parentPartnerId),
  displayCurrency: orNull(values.displayCurrency.toUpperCase()),
  taxRegistrationNumber: orNull(values.taxRegistrationNumber),
  commissionRate: values.commissionRate === '' ? null : Number(values.commissionRate),
  billingEmail: orNull(values.billingEmail),
});

export async function partnersPage(main) {
  const list = h('div');
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/partners?page=${page}`);
    const rows = items.map((partner) => [
      h('a', { href: `#/partners/${partner.id}` }, partner.name),
      mono(partner.globalId),
      partner.isActive ? pill('Active', 'good') : pill('Inactive', 'bad'),
      partner.displayCurrency ?? '–',
      partner.isVatRegistered ? 'Yes' : 'No',
      moment(partner.createdAt),
    ]);
    list.replaceChildren(
      table(['Name', 'Global id', 'State', 'Display', 'VAT', 'Since'], rows, 'No partners yet.'),
      pager(pagination, load),
    );
  };
  const create = () =>
    openForm({
      heading: 'New partner',
      action: 'Create',
      fields: settingsFields(),
      submit: async (values) => {
        const made = await call('POST', '/partners', settingsOf(values));
        location.hash = `#/partners/${made.id}`;
      },
    });
  const revoke = () =>
    openForm({
      heading: 'Revoke a credential',
      action: 'Revoke',
      danger: true,
      fields: [field('Client id', 'clientId', { required: true })],
      submit: async ({ clientId }) => {
        await call('DELETE', `/credentials/${encodeURIComponent(clientId)}`);
        toast('The credential gets no new tokens from now on.');
      },
    });
  main.replaceChildren(
    h(
      'div',
      { class: 'bar' },
      title('Partners'),
      h('span', { class: 'end' }),
      h('button', { onclick: revoke }, 'Revoke a credential'),
      h('button', { class: 'main', onclick: create }, 'New partner'),
    ),
    card(list),
  );
  await load();
}

export async function partnerPage(main, id) {
  const partner = await call('GET', `/partners/${id}`);
  const again = async (text) => {
    toast(text);
    await partnerPage(main, id);
  };
  const change = () =>
    openForm({
      heading: `Change ${partner.name}`,
      action: 'Save',
      fields: settingsFields(partner),
      submit: async (values) => {
        await call('PATCH', `/partners/${id}`, settingsOf(values));
        await again('Saved.');
      },
    });
  const toggle = async () => {
    await call('PATCH', `/partners/${id}`, { isActive: !partner.isActive });
    await again(partner.isActive ? 'Deactivated: no new tokens.' : 'Activated.');
  };
  main.replaceChildren(
    h(
      'div',
      { class: 'bar' },
      title(partner.name),
      h('span', { class: 'end' }),
      h('button', { onclick: change }, 'Change'),
      h(
        'button',
        {
          class: partner.isActive ? 'danger' : 'main',
          onclick: () => toggle().catch((error) => toast(error.message)),
        },
        partner.isActive ? 'Deactivate' : 'Activate',
      ),
    ),
    card(
      facts({
        'Global id': mono(partner.globalId),
        Id: mono(partner.id),
        State: partner.isActive ? pill('Active', 'good') : pill('Inactive', 'bad'),
        Parent: partner.parentPartnerId
          ? h('a', { href: `#/partners/${partner.parentPartnerId}` }, mono(partner.parentPartnerId))
          : null,
        'Display currency': partner.displayCurrency,
        'VAT-registered': partner.isVatRegistered ? 'Yes' : 'No',
        'Tax number': partner.taxRegistrationNumber,
        'Commission rate': partner.commissionRate === null ? null : String(partner.commissionRate),
        'Billing e-mail': partner.billingEmail,
        Since: moment(partner.createdAt),
      }),
    ),
    card(h('h2', {}, 'Credentials and money'), actions(id)),
    h(
      'p',
      {},
      h('a', { href: `#/orders?partnerId=${id}` }, 'Orders'),
      ' · ',
      h('a', { href: `#/audit?partnerId=${id}` }, 'Audit'),
    ),
  );
}

function actions(id) {
  const where = field('Environment', 'environment', { options: environments });
  const button = (text, onclick) => h('button', { onclick }, text);
  const credential = () =>
    openForm({
      heading: 'New credential',
      action: 'Make',
      fields: [where],
      submit: async (values) => {
        const made = await call('POST', `/partners/${id}/credentials`, values);
        show(
          'The secret is shown only now',
          facts({ 'Client id': mono(made.clientId), 'Client secret': mono(made.clientSecret) }),
        );
      },
    });
  const wallet = () =>
    openForm({
      heading: 'Open a wallet',
      action: 'Open',
      fields: [where],
      submit: async (values) => {
        const opened = await call('POST', `/partners/${id}/wallet`, values);
        toast(`Open; the balance is ${opened.currentBalance} ${opened.currency}.`);
      },
    });
  const move = (kind, heading) => () => {
    // One key for one dialog: pressing the button twice moves the money once.
    const idempotencyKey = crypto.randomUUID();
    openForm({
      heading,
      action: heading,
      fields: [
        where,
        field('Amount in SAR', 'amount', { type: 'number', step: '0.01', required: true }),
        field('Notes', 'notes', { maxlength: 500 }),
      ],
      submit: async ({ environment, amount, notes }) => {
        const body = { environment, amount: Number(amount), idempotencyKey, ...(notes ? { notes } : {}) };
        const moved = await call('POST', `/partners/${id}/wallet/${kind}`, body);
        toast(`Done; the balance is ${moved.balanceAfter} SAR.`);
      },
    });
  };
  return h(
    'div',
    { class: 'bar' },
    button('New credential', credential),
    button('Open a wallet', wallet),
    button('Credit', move('credit', 'Credit')),
    button('Adjust', move('adjust', 'Adjust')),
  );
}
