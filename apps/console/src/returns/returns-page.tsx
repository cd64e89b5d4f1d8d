import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import type { Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { ExportLink } from '../parts/export-link';
import { SelectFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { IdText } from '../parts/id-text';
import { ListPage } from '../parts/list-page';
import { OrderLink, PartnerLink } from '../parts/partner-link';
import type { Sort } from '../parts/sort-head';
import { StatusBadge } from '../parts/status-badge';
import { useSpeech } from '../words/words';

type Return = Schemas['ReturnRequest'];
type Status = Return['status'];

const STALE = [['/ops/v1/return-requests'], ['order'], ['overview']];

/** What customers want to give back, of both environments, and the decision about each. */
export function ReturnsPage() {
  const { words } = useSpeech();
  const { page, status, sort } = useSearch({ from: '/returns' });
  const isOldest = sort === 'oldest';
  const wanted = {
    ...{ page: page ?? 1, pageSize: 50 },
    ...(status && { status: status as Status }),
    ...(isOldest && { sort: 'oldest' as const }),
  };
  return (
    <ListPage
      title={words.returns.title}
      name="returns"
      columns={useColumns(isOldest ? 'oldest' : 'newest')}
      query={useQuery(readQuery('/ops/v1/return-requests', wanted))}
      keyOf={({ id }) => id}
      page={page}
      isFiltered={Boolean(status)}
      filters={
        <Filters names={['status']}>
          <SelectFilter
            name="status"
            label={words.orders.status}
            value={status}
            options={Object.entries(words.returns.statuses)}
          />
        </Filters>
      }
      actions={
        <ExportLink
          href="/ops/v1/return-requests/export"
          filters={{ status, ...(isOldest && { sort }) }}
          fileName="return-requests.csv"
        />
      }
    />
  );
}

function useColumns(sort: Sort): readonly Column<Return>[] {
  const { words, formats } = useSpeech();
  const labels = words.returns;
  return [
    { id: 'requestedAt', title: labels.requested, sort, cell: (row) => formats.moment(row.requestedAt) },
    { id: 'status', title: words.orders.status, cell: (row) => <StatusBadge status={row.status} /> },
    { id: 'order', title: labels.order, cell: (row) => <OrderLink id={row.orderGlobalId} /> },
    { id: 'partner', title: words.orders.partner, cell: (row) => <PartnerLink id={row.partnerId} /> },
    {
      id: 'lines',
      title: labels.reason,
      cell: ({ lines }) =>
        lines.map(({ quantity, reasonCode }) => `${quantity} × ${labels.reasons[reasonCode]}`).join(', '),
    },
    { id: 'decidedAt', title: labels.decided, cell: (row) => formats.moment(row.decidedAt) },
    { id: 'declineReason', title: labels.declineReason, cell: (row) => <bdi>{row.declineReason}</bdi> },
    { id: 'id', title: labels.id, isExtra: true, cell: (row) => <IdText id={row.id} /> },
    {
      id: 'group',
      title: labels.group,
      isExtra: true,
      cell: (row) => <IdText id={row.fulfillmentGroupId} />,
    },
    { id: 'actions', title: '', cell: (row) => row.status === 'Pending' && <Decisions of={row} /> },
  ];
}

function Decisions({ of: { id } }: { readonly of: Return }) {
  const { words } = useSpeech();
  const labels = words.returns;
  const params = { path: { id } };
  return (
    <Group gap={4} wrap="nowrap">
      <DecisionButton
        label={labels.approve}
        effect={labels.approveEffect}
        role="support"
        run={() => payloadOf(api.POST('/ops/v1/return-requests/{id}/approve', { params }))}
        done={() => labels.approved}
        stale={STALE}
      />
      <DecisionButton
        label={labels.decline}
        effect={labels.declineEffect}
        role="support"
        isDangerous
        notes={labels.declineReason}
        run={(reason) =>
          payloadOf(api.POST('/ops/v1/return-requests/{id}/decline', { params, body: { reason } }))
        }
        done={() => labels.declined}
        stale={STALE}
      />
    </Group>
  );
}
