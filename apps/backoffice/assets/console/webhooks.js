import { buttonsOf, deliveryActions } from './actions.js';
import { call, query } from './api.js';
import {
  card,
  field,
  filters,
  h,
  moment,
  mono,
  number,
  pager,
  pill,
  shortId,
  table,
  title,
  toast,
} from './dom.js';

const statuses = ['DeadLettered', 'Pending', 'Delivered'];

/** Dead letters first: those are what an operator comes for. */
export async function webhooksPage(main, { status = 'DeadLettered' }) {
  const list = h('div');
  const wanted = { status };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/webhook-deliveries${query({ ...wanted, page })}`);
    const rows = items.map((delivery) => [
      moment(delivery.createdAt),
      mono(delivery.eventType),
      h('a', { href: `#/partners/${delivery.partnerId}` }, shortId(delivery.partnerId)),
      delivery.environment,
      delivery.orderGlobalId
        ? h(
            'a',
            { href: `#/orders/${encodeURIComponent(delivery.orderGlobalId)}` },
            mono(delivery.orderGlobalId),
          )
        : '–',
      pill(delivery.status),
      number(delivery.attemptCount),
      lastAttempt(delivery),
      h(
        'div',
        { class: 'buttons' },
        buttonsOf(deliveryActions, delivery, () => load(page)),
      ),
    ]);
    list.replaceChildren(
      table(
        ['Made', 'Event', 'Partner', 'Environment', 'Order', 'Status', 'Attempts', 'Last attempt', ''],
        rows,
        wanted.status === 'DeadLettered' ? 'No dead letters.' : 'No such deliveries.',
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
    ],
    (values) => {
      Object.assign(wanted, values);
      load().catch((error) => toast(error.message));
    },
  );
  main.replaceChildren(title('Webhook deliveries'), bar, card(list));
  await load();
}

function lastAttempt({ lastAttemptAt, responseStatus, errorSummary, isTest }) {
  if (!lastAttemptAt) return '–';
  const result = [errorSummary, responseStatus && `HTTP ${responseStatus}`, isTest && 'test'];
  return `${moment(lastAttemptAt)} ${result.filter(Boolean).join(', ')}`;
}
