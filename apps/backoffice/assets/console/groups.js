import { buttonsOf, groupActions } from './actions.js';
import { card, h, moment, pill, shortId, table } from './dom.js';

/** The fulfillment groups of a scent order with what can be done with each; `reload` follows each. */
export function groupsCard({ lines, fulfillmentGroups, status }, reload) {
  const rows = fulfillmentGroups.map((group) => {
    const own = lines.filter(({ fulfillmentGroupId }) => fulfillmentGroupId === group.id);
    const units = own.map(({ quantity, returnedQuantity }) =>
      returnedQuantity > 0 ? `${quantity} (${returnedQuantity} back)` : `${quantity}`,
    );
    // The groups of an order that is not paid cannot be moved.
    const isPaid = !['Pending', 'InterventionRequired', 'Failed'].includes(status);
    const possible = isPaid ? groupActions : [];
    return [
      shortId(group.id),
      own[0]?.source ?? '',
      units.join(', '),
      pill(group.status),
      moment(group.deliveredAt),
      h('div', { class: 'buttons' }, buttonsOf(possible, group, reload)),
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
