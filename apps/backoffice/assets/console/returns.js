import { buttonsOf, returnActions } from './actions.js';
import { call, query } from './api.js';
import { card, field, filters, h, moment, mono, pager, pill, shortId, table, title, toast } from './dom.js';

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
      h('div', { class: 'buttons' }, buttonsOf(returnActions, request, load)),
    ]);
    const headings = ['Order', 'Group', 'Units', 'Status', 'Asked', 'Decided', ''];
    list.replaceChildren(table(headings, rows, 'No such requests.'), pager(pagination, load));
  };
  const options = [['', 'Any'], ...statuses.map((name) => [name, name])];
  const bar = filters([field('Status', 'status', { value: status, options })], (values) => {
    Object.assign(wanted, values);
    load().catch((error) => toast(error.message));
  });
  main.replaceChildren(title('Return requests'), bar, card(list));
  await load();
}
