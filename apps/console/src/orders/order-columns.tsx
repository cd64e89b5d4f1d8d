import { Anchor, Badge, Group } from '@mantine/core';
import type { Schemas } from '../api/client';
import type { Column } from '../parts/data-table';
import { LinkTo } from '../parts/link-to';
import { StatusBadge } from '../parts/status-badge';
import type { Speech } from '../words/words';

type Order = Schemas['OrderRow'];

/** What a list of orders can show, and a CSV of it has. */
export const orderColumns = ({ words, formats }: Speech): readonly Column<Order>[] => [
  {
    id: 'orderGlobalId',
    title: words.orders.id,
    text: ({ orderGlobalId }) => orderGlobalId,
    cell: ({ orderGlobalId }) => (
      <Anchor
        ff="monospace"
        fz="sm"
        dir="ltr"
        renderRoot={(props) => <LinkTo {...props} to="/orders/$orderGlobalId" params={{ orderGlobalId }} />}
      >
        {orderGlobalId}
      </Anchor>
    ),
  },
  {
    id: 'status',
    title: words.orders.status,
    text: ({ status }) => status,
    cell: ({ status, parked }) => (
      <Group gap={4} wrap="nowrap">
        <StatusBadge status={status} />
        {parked.length > 0 && status !== 'InterventionRequired' && (
          <Badge color="orange" variant="light" radius="sm" tt="none" className="status">
            {words.orders.waitsFor}
          </Badge>
        )}
      </Group>
    ),
  },
  {
    id: 'amount',
    title: words.orders.amount,
    text: ({ amount }) => amount,
    isNumber: true,
    cell: ({ amount, currency }) => formats.money(amount, currency),
  },
  {
    id: 'partnerName',
    title: words.orders.partner,
    text: ({ partnerName }) => partnerName,
    cell: ({ partnerId, partnerName }) => (
      <Anchor fz="sm" renderRoot={(props) => <LinkTo {...props} to="/orders" filters={{ partnerId }} />}>
        {partnerName ?? partnerId}
      </Anchor>
    ),
  },
  {
    id: 'submittedAt',
    title: words.orders.submitted,
    text: ({ submittedAt }) => submittedAt,
    cell: ({ submittedAt }) => formats.moment(submittedAt),
  },
  {
    id: 'productType',
    title: words.orders.product,
    text: ({ productType }) => productType,
    cell: ({ productType }) => words.product[productType],
  },
  {
    id: 'externalReference',
    title: words.orders.reference,
    text: ({ externalReference }) => externalReference,
    cell: ({ externalReference }) => <bdi>{externalReference}</bdi>,
  },
  {
    id: 'completedAt',
    title: words.orders.ended,
    text: ({ completedAt }) => completedAt,
    isExtra: true,
    cell: ({ completedAt }) => formats.moment(completedAt),
  },
  {
    id: 'customerRef',
    title: words.orders.customer,
    text: ({ customerRef }) => customerRef,
    isExtra: true,
    cell: ({ customerRef }) => <bdi>{customerRef}</bdi>,
  },
  {
    id: 'environment',
    title: words.orders.environment,
    text: ({ environment }) => environment,
    isExtra: true,
    cell: ({ environment }) => words.environment[environment],
  },
];
