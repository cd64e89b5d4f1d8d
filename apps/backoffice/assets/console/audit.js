import { call, query } from './api.js';
import { card, field, filters, h, moment, mono, pager, shortId, table, title, toast } from './dom.js';

const instant = (text) => (text ? new Date(text).toISOString() : '');

export async function auditPage(main, { partnerId = '' }) {
  const list = h('div');
  const wanted = { partnerId };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/audit${query({ ...wanted, page })}`);
    const rows = items.map((entry) => [
      moment(entry.occurredAt),
      entry.operator ?? mono(`${entry.actingPartnerId} / ${entry.actingClientId}`),
      mono(entry.action),
      entry.subject ? mono(entry.subject) : '–',
      entry.partnerId ? h('a', { href: `#/partners/${entry.partnerId}` }, shortId(entry.partnerId)) : '–',
      entry.details ? h('code', {}, JSON.stringify(entry.details)) : '',
    ]);
    list.replaceChildren(
      table(['When', 'Who', 'Action', 'On', 'Partner', 'More'], rows, 'Nothing was done.'),
      pager(pagination, load),
    );
  };
  const bar = filters(
    [
      field('Partner id', 'partnerId', { value: partnerId, size: 36 }),
      field('From', 'from', { type: 'datetime-local' }),
      field('To', 'to', { type: 'datetime-local' }),
    ],
    ({ partnerId: id, from, to }) => {
      Object.assign(wanted, { partnerId: id, from: instant(from), to: instant(to) });
      load().catch((error) => toast(error.message));
    },
  );
  main.replaceChildren(title('Audit'), bar, card(list));
  await load();
}
