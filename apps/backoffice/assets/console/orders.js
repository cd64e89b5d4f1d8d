import { buttonsOf, orderActions } from './actions.js';
import { call, query } from './api.js';
import {
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

/** What is not tried any more until somebody decides; the same decision again tries it again. */
const parkedCard = (parked) =>
  card(
    h('h2', {}, 'Waits for a person'),
    table(
      ['Since', 'Step', 'Code', 'Why', 'Of'],
      parked.map(({ since, step, code, reason, subjectId }) => [
        moment(since),
        mono(step),
        mono(code),
        reason,
        subjectId ? mono(subjectId) : 'the order',
      ]),
    ),
  );

export async function ordersPage(main, { status = '', environment = '', partnerId = '', parked = '' }) {
  const list = h('div');
  const wanted = { status, environment, partnerId, parked };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/orders${query({ ...wanted, page })}`);
    const rows = items.map((order) => [
      h('a', { href: `#/orders/${encodeURIComponent(order.orderGlobalId)}` }, mono(order.orderGlobalId)),
      order.productType,
      mono(order.externalReference),
      [pill(order.status), order.parked.length > 0 ? ' parked' : ''],
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
      field('Waits for a person', 'parked', {
        value: parked,
        options: [
          ['', 'Any'],
          ['true', 'Only these'],
        ],
      }),
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
  const { order, decisions, scentOrder, entries } = await call(
    'GET',
    `/orders/${encodeURIComponent(id)}/timeline`,
  );
  const reload = () => orderPage(main, id);
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
      buttonsOf(orderActions(order), { ...order, decisions }, reload),
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
    order.parked.length > 0 ? parkedCard(order.parked) : '',
    scentOrder ? groupsCard(scentOrder, reload) : '',
    card(h('h2', {}, 'Timeline'), table(['When', 'What', 'Step', 'Outcome', 'More'], rows)),
  );
}
