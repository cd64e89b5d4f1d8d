import { approvalActions, buttonsOf } from './actions.js';
import { call, query } from './api.js';
import { card, field, filters, h, moment, money, mono, pager, pill, table, title, toast } from './dom.js';

const statuses = ['Pending', 'Approved', 'Rejected', 'Lapsed'];
const actions = {
  'wallet.credit': 'Credit',
  'wallet.adjust': 'Adjustment',
  'order.reverse': 'Reversal',
};

/** Movements of money that need a second operator; those that wait first. */
export async function approvalsPage(main, { status = 'Pending' }) {
  const list = h('div');
  const wanted = { status };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/approvals${query({ ...wanted, page })}`);
    const rows = items.map((one) => [
      moment(one.requestedAt),
      actions[one.action] ?? one.action,
      one.partnerName,
      money(one.amount),
      one.action === 'order.reverse' ? mono(one.subject) : one.notes,
      one.requestedBy,
      pill(one.status),
      one.decidedBy ? `${one.decidedBy} ${moment(one.decidedAt)}` : `until ${moment(one.expiresAt)}`,
      h('div', { class: 'buttons' }, ...buttonsOf(approvalActions, one, () => load(page))),
    ]);
    list.replaceChildren(
      table(
        ['Requested', 'What', 'Partner', 'Amount', 'About', 'By', 'Status', 'Decided', ''],
        rows,
        wanted.status === 'Pending' ? 'Nothing waits for a second operator.' : 'No approvals.',
      ),
      pager(pagination, load),
    );
  };
  const options = [['', 'Any'], ...statuses.map((name) => [name, name])];
  const bar = filters([field('Status', 'status', { value: status, options })], (values) => {
    Object.assign(wanted, values);
    load().catch((error) => toast(error.message));
  });
  main.replaceChildren(title('Approvals'), bar, card(list));
  await load();
}
