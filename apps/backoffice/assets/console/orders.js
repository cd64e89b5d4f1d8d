import { call, query } from './api.js';
import {
  ask,
  card,
  environments,
  facts,
  field,
  filters,
  h,
  moment,
  money,
  mono,
  number,
  pager,
  pill,
  table,
  title,
  toast,
} from './dom.js';
import { groupsCard } from './groups.js';

const statuses = [
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'InterventionRequired',
  'Cancelled',
  'Reversed',
  'PartiallyDelivered',
  'PartiallyReturned',
  'Returned',
];

const kinds = { SagaStep: 'Saga', WalletTransaction: 'Money', WebhookDelivery: 'Webhook' };

export async function ordersPage(main, { status = '', environment = '', partnerId = '' }) {
  const list = h('div');
  const wanted = { status, environment, partnerId };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/orders${query({ ...wanted, page })}`);
    const rows = items.map((order) => [
      h('a', { href: `#/orders/${encodeURIComponent(order.orderGlobalId)}` }, mono(order.orderGlobalId)),
      order.productType,
      mono(order.externalReference),
      pill(order.status),
      order.environment,
      number(money(order.amount, order.currency)),
      moment(order.submittedAt),
    ]);
    list.replaceChildren(
      table(
        ['Order', 'Product', 'Reference', 'Status', 'Environment', 'Amount', 'Submitted'],
        rows,
        'No such orders.',
      ),
      pager(pagination, load),
    );
  };
  const bar = filters(
    [
      field('Status', 'status', {
        value: status,
        options: [['', 'Any'], ...statuses.map((name) => [name, name])],
      }),
      field('Environment', 'environment', { value: environment, options: [['', 'Both'], ...environments] }),
      field('Partner id', 'partnerId', { value: partnerId, size: 36 }),
    ],
    (values) => {
      Object.assign(wanted, values);
      load().catch((error) => toast(error.message));
    },
  );
  const find = h(
    'form',
    {
      class: 'bar',
      onsubmit: (event) => {
        event.preventDefault();
        const id = find.elements.id.value.trim();
        if (id) location.hash = `#/orders/${encodeURIComponent(id)}`;
      },
    },
    field('Order global id', 'id', { size: 36 }),
    h('button', {}, 'Open'),
  );
  main.replaceChildren(title('Orders'), find, bar, card(list));
  await load();
}

export async function orderPage(main, id) {
  const { order, scentOrder, entries } = await call('GET', `/orders/${encodeURIComponent(id)}/timeline`);
  const again = (text) => {
    toast(text);
    return orderPage(main, id);
  };
  const activation =
    order.productType === 'Esim'
      ? [
          h('p', { class: 'soft' }, 'Used only where the vendor has no activation data; may be left empty.'),
          field('ICCID', 'esimIccid', { maxlength: 64 }),
          field('QR code text', 'esimQrCode', { maxlength: 500, placeholder: 'LPA:1$…' }),
          field('Activation code', 'esimActivationCode', { maxlength: 255 }),
          field('Plan details', 'esimPlanDetails', { maxlength: 500 }),
        ]
      : [];
  const decide = (heading, path, { danger = false, more = [], ...body } = {}) =>
    h(
      'button',
      {
        class: danger ? 'danger' : 'main',
        onclick: () =>
          ask({
            heading,
            action: heading,
            danger,
            fields: [field('Why', 'notes', { required: true, maxlength: 500 }), ...more],
            submit: async (values) => {
              const given = Object.entries(values).filter(([, value]) => value !== '');
              const answer = await call('POST', `/orders/${encodeURIComponent(id)}/${path}`, {
                ...body,
                ...Object.fromEntries(given),
              });
              await again(`The order is now ${answer.status}.`);
            },
          }),
      },
      heading,
    );
  const decisions = {
    InterventionRequired: () => [
      decide('Resolve as completed', 'resolve', { outcome: 'Completed', more: activation }),
      decide('Resolve as failed', 'resolve', { outcome: 'Failed', danger: true }),
    ],
    Pending: () => [decide('Cancel', 'cancel', { danger: true })],
    Completed: () => [decide('Reverse', 'reverse', { danger: true })],
  };
  // A scent order is undone group by group.
  const cancelRest = () => [decide('Cancel open groups', 'cancel', { danger: true })];
  const scentDecisions = { Processing: cancelRest, PartiallyDelivered: cancelRest };
  const possible = order.productType === 'Scent' ? scentDecisions : decisions;
  const rows = entries.map(({ occurredAt, type, step, outcome, details }) => [
    moment(occurredAt),
    kinds[type] ?? type,
    mono(step),
    pill(outcome),
    details ? h('code', {}, JSON.stringify(details)) : '',
  ]);
  main.replaceChildren(
    h(
      'div',
      { class: 'bar' },
      title(`Order ${order.orderGlobalId}`),
      h('span', { class: 'end' }),
      possible[order.status]?.() ?? [],
    ),
    card(
      facts({
        Status: pill(order.status),
        Product: order.productType,
        Amount: money(order.amount, order.currency),
        Environment: order.environment,
        Partner: h('a', { href: `#/partners/${order.partnerId}` }, mono(order.partnerId)),
        Reference: mono(order.externalReference),
        Submitted: moment(order.submittedAt),
        Ended: moment(order.completedAt),
      }),
    ),
    scentOrder ? groupsCard(scentOrder, again) : '',
    card(h('h2', {}, 'Timeline'), table(['When', 'What', 'Step', 'Outcome', 'More'], rows)),
  );
}
