import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { BulkButton } from '../parts/bulk-button';
import type { Column } from '../parts/data-table';
import { ExportLink } from '../parts/export-link';
import { SelectFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { IdText } from '../parts/id-text';
import { ListPage } from '../parts/list-page';
import { OrderLink, PartnerLink } from '../parts/partner-link';
import { useSelection } from '../parts/selection';
import { StatusBadge } from '../parts/status-badge';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';

type Group = Schemas['OpenFulfillmentGroup'];
type Status = Group['status'];

const STALE = [['/ops/v1/fulfillment-groups'], ['order'], ['overview']];
const STATUSES: readonly Status[] = ['Pending', 'Shipped'];
const keyOf = ({ id }: Group): string => id;
const nameOf = ({ orderGlobalId, source }: Group): string => `${orderGlobalId} ${source}`;

const ship = ({ id }: Group) =>
  payloadOf(api.POST('/ops/v1/fulfillment-groups/{id}/ship', { params: { path: { id } } }));
const deliver = ({ id }: Group) =>
  payloadOf(api.POST('/ops/v1/fulfillment-groups/{id}/deliver', { params: { path: { id } } }));

/** What has to be shipped or delivered, oldest first, one by one or many at once. */
export function GroupsPage() {
  const { words } = useSpeech();
  const environment = useEnvironment();
  const { page, status } = useSearch({ from: '/fulfillment' });
  const filters = { environment, ...(status && { status: status as Status }) };
  const query = useQuery(
    readQuery('/ops/v1/fulfillment-groups', { ...filters, page: page ?? 1, pageSize: 100 }),
  );
  const selection = useSelection(query.data?.items, keyOf);
  const labels = words.groups;
  const chosen = (from: Status) => selection.chosen.filter((group) => group.status === from);
  const many = { role: 'support', nameOf, stale: STALE } as const;
  return (
    <ListPage
      title={labels.title}
      name="fulfillment"
      columns={[selection.column, ...useColumns()]}
      query={query}
      keyOf={keyOf}
      page={page}
      isFiltered={Boolean(status)}
      filters={
        <Filters names={['status']}>
          <SelectFilter
            name="status"
            label={words.orders.status}
            value={status}
            options={STATUSES.map((name) => [name, words.status[name]])}
          />
        </Filters>
      }
      actions={
        <>
          <BulkButton
            {...many}
            label={labels.ship}
            effect={labels.effect.ship}
            rows={chosen('Pending')}
            run={ship}
          />
          <BulkButton
            {...many}
            label={labels.deliver}
            effect={labels.effect.deliver}
            rows={chosen('Shipped')}
            run={deliver}
          />
          <ExportLink
            href="/ops/v1/fulfillment-groups/export"
            filters={filters}
            fileName={`fulfillment-groups-${environment}.csv`}
          />
        </>
      }
    />
  );
}

function useColumns(): readonly Column<Group>[] {
  const { words, formats } = useSpeech();
  const labels = words.groups;
  return [
    { id: 'submittedAt', title: words.orders.submitted, cell: (row) => formats.moment(row.submittedAt) },
    { id: 'status', title: words.orders.status, cell: (row) => <StatusBadge status={row.status} /> },
    { id: 'order', title: words.returns.order, cell: (row) => <OrderLink id={row.orderGlobalId} /> },
    { id: 'partner', title: words.orders.partner, cell: (row) => <PartnerLink id={row.partnerId} /> },
    { id: 'source', title: labels.source, cell: (row) => <bdi>{row.source}</bdi> },
    {
      id: 'lines',
      title: labels.lines,
      cell: ({ lines }) => (
        <bdi dir="ltr">
          {lines.map(({ quantity, sku }) => `${formats.number(quantity)} × ${sku}`).join(', ')}
        </bdi>
      ),
    },
    { id: 'shippedAt', title: words.status.Shipped, cell: (row) => formats.moment(row.shippedAt) },
    { id: 'id', title: words.returns.group, isExtra: true, cell: (row) => <IdText id={row.id} /> },
  ];
}
