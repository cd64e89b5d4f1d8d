import { call } from './api.js';
import { ask, card, h, moment, pill, shortId, table } from './dom.js';

const moves = {
  Pending: ['ship', 'cancel'],
  Shipped: ['deliver', 'cancel'],
};

/** The fulfillment groups of a scent order with what can be done with each; `again` is called with what came of it. */
export function groupsCard({ lines, fulfillmentGroups, status }, again) {
  const move = (id, verb) => async () => {
    await call('POST', `/fulfillment-groups/${id}/${verb}`);
    await again(`Done: ${verb}.`);
  };
  const button = (id, verb) =>
    h(
      'button',
      {
        class: verb === 'cancel' ? 'danger' : 'main',
        onclick: () =>
          ask({
            heading: `${verb[0].toUpperCase()}${verb.slice(1)} the group`,
            action: verb === 'cancel' ? 'Cancel and refund' : `Yes, ${verb}`,
            danger: verb === 'cancel',
            fields: [],
            submit: move(id, verb),
          }),
      },
      verb,
    );
  const rows = fulfillmentGroups.map((group) => {
    const own = lines.filter(({ fulfillmentGroupId }) => fulfillmentGroupId === group.id);
    const units = own.map(({ quantity, returnedQuantity }) =>
      returnedQuantity > 0 ? `${quantity} (${returnedQuantity} back)` : `${quantity}`,
    );
    const possible = status === 'Pending' ? [] : (moves[group.status] ?? []);
    return [
      shortId(group.id),
      own[0]?.source ?? '',
      units.join(', '),
      pill(group.status),
      moment(group.deliveredAt),
      h(
        'div',
        { class: 'buttons' },
        possible.map((verb) => button(group.id, verb)),
      ),
    ];
  });
  return card(
    h('h2', {}, 'Fulfillment groups'),
    table(
      ['Group', 'Warehouse', 'Units', 'Status', 'Delivered', ''],
      rows,
      'None yet: the cart is not priced.',
    ),
  );
}
