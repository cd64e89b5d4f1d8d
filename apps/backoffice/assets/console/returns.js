import { call, query } from './api.js';
import {
  ask,
  card,
  field,
  filters,
  h,
  moment,
  mono,
  pager,
  pill,
  shortId,
  table,
  title,
  toast,
} from './dom.js';

const statuses = ['Pending', 'Approved', 'Declined'];

/** Return requests of every partner, and the two decisions on those that wait. */
export async function returnsPage(main, { status = 'Pending' }) {
  const list = h('div');
  const wanted = { status };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/return-requests${query({ ...wanted, page })}`);
    const rows = items.map((request) => [
      h('a', { href: `#/orders/${encodeURIComponent(request.orderGlobalId)}` }, mono(request.orderGlobalId)),
      shortId(request.fulfillmentGroupId),
      request.lines.map(({ quantity, reasonCode }) => `${quantity} × ${reasonCode}`).join(', '),
      pill(request.status),
      moment(request.requestedAt),
      request.declineReason ?? moment(request.decidedAt),
      request.status === 'Pending' ? h('div', { class: 'buttons' }, decisions(request)) : '',
    ]);
    const headings = ['Order', 'Group', 'Units', 'Status', 'Asked', 'Decided', ''];
    list.replaceChildren(table(headings, rows, 'No such requests.'), pager(pagination, load));
  };
  const decide = async (request, verb, body) => {
    const answer = await call('POST', `/return-requests/${request.id}/${verb}`, body);
    toast(`The request is now ${answer.status}.`);
    await load();
  };
  const decisions = (request) => [
    h(
      'button',
      {
        class: 'main',
        onclick: () =>
          ask({
            heading: 'Approve the return',
            action: 'Approve and refund',
            fields: [
              h('p', { class: 'soft' }, 'The units are refunded and their commission clawed back, at once.'),
            ],
            submit: () => decide(request, 'approve'),
          }),
      },
      'Approve',
    ),
    h(
      'button',
      {
        class: 'danger',
        onclick: () =>
          ask({
            heading: 'Decline the return',
            action: 'Decline',
            danger: true,
            fields: [field('Why', 'reason', { required: true, maxlength: 500 })],
            submit: ({ reason }) => decide(request, 'decline', { reason }),
          }),
      },
      'Decline',
    ),
  ];
  const options = [['', 'Any'], ...statuses.map((name) => [name, name])];
  const bar = filters([field('Status', 'status', { value: status, options })], (values) => {
    Object.assign(wanted, values);
    load().catch((error) => toast(error.message));
  });
  main.replaceChildren(title('Return requests'), bar, card(list));
  await load();
}
