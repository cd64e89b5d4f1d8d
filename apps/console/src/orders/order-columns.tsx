import { Anchor, Badge, Group } from '@mantine/core';
import type { Schemas } from '../api/client';
import type { Column } from '../parts/data-table';
import { LinkTo } from '../parts/link-to';
import type { Sort } from '../parts/sort-head';
import { StatusBadge } from '../parts/status-badge';
import type { Speech } from '../words/words';

type Order = Schemas['OrderRow'];

/** What a list of orders can show. */
export const orderColumns = ({ words, formats }: Speech, sort: Sort): readonly Column<Order>[] => [
  {
    id: 'orderGlobalId',
    title: words.orders.id,
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
    isNumber: true,
    cell: ({ amount, currency }) => formats.money(amount, currency),
  },
  {
    id: 'partnerName',
    title: words.orders.partner,
    cell: ({ partnerId, partnerName }) => (
      <Anchor fz="sm" renderRoot={(props) => <LinkTo {...props} to="/orders" filters={{ partnerId }} />}>
        {partnerName ?? partnerId}
      </Anchor>
    ),
  },
  {
    id: 'submittedAt',
    title: words.orders.submitted,
    sort,
    cell: ({ submittedAt }) => formats.moment(submittedAt),
  },
  {
    id: 'productType',
    title: words.orders.product,
    cell: ({ productType }) => words.product[productType],
  },
  {
    id: 'externalReference',
    title: words.orders.reference,
    cell: ({ externalReference }) => <bdi>{externalReference}</bdi>,
  },
  {
    id: 'completedAt',
    title: words.orders.ended,
    isExtra: true,
    cell: ({ completedAt }) => formats.moment(completedAt),
  },
  {
    id: 'customerRef',
    title: words.orders.customer,
    isExtra: true,
    cell: ({ customerRef }) => <bdi>{customerRef}</bdi>,
  },
  {
    id: 'environment',
    title: words.orders.environment,
    isExtra: true,
    cell: ({ environment }) => words.environment[environment],
  },
];
