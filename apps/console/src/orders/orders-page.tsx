import { Checkbox, Paper, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ordersQuery } from '../api/queries';
import { ExportLink } from '../parts/export-link';
import { SelectFilter, MomentFilter, TextFilter, useSetFilter } from '../parts/filter-fields';
import { ClearFilters, ListPage } from '../parts/list-page';
import { PartnerFilter } from '../parts/partner-filter';
import { useEnvironment } from '../parts/use-environment';
import { ORDER_FILTERS, ORDER_STATUSES, type OrderSearch } from '../search';
import { useSpeech } from '../words/words';
import { orderColumns } from './order-columns';

/** Every partner's orders in one environment, newest or oldest first, by filters that the API applies. */
export function OrdersPage() {
  const speech = useSpeech();
  const environment = useEnvironment();
  const { page, sort, ...filters } = useSearch({ from: '/orders' });
  const wanted = { ...filters, ...(sort && { sort }), environment };
  const query = useQuery(ordersQuery({ ...wanted, page: page ?? 1, pageSize: 50 }));
  return (
    <ListPage
      title={speech.words.orders.title}
      name="orders"
      columns={orderColumns(speech, sort ?? 'newest')}
      query={query}
      keyOf={({ orderGlobalId }) => orderGlobalId}
      page={page}
      filters={<OrderFilters filters={filters} />}
      isFiltered={Object.values(filters).some(Boolean)}
      actions={
        <ExportLink href="/ops/v1/orders/export" filters={wanted} fileName={`orders-${environment}.csv`} />
      }
    />
  );
}

function OrderFilters({ filters }: { readonly filters: OrderSearch }) {
  const { words } = useSpeech();
  const set = useSetFilter();
  const labels = words.orders;
  return (
    <Paper withBorder p="sm" role="group" aria-label={words.list.filters}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" className="filters">
        <SelectFilter
          name="status"
          label={labels.status}
          value={filters.status}
          options={ORDER_STATUSES.map((status) => [status, words.status[status]])}
        />
        <SelectFilter
          name="productType"
          label={labels.product}
          value={filters.productType}
          options={Object.entries(words.product)}
        />
        <TextFilter name="orderGlobalId" label={labels.id} value={filters.orderGlobalId} />
        <TextFilter name="externalReference" label={labels.reference} value={filters.externalReference} />
        <TextFilter name="phoneNumber" label={labels.phone} value={filters.phoneNumber} />
        <PartnerFilter value={filters.partnerId} />
        <MomentFilter name="fromDate" label={labels.from} value={filters.fromDate} />
        <MomentFilter name="toDate" label={labels.to} value={filters.toDate} />
        <Checkbox
          size="xs"
          pb={8}
          label={labels.onlyParked}
          checked={filters.parked === 'true'}
          onChange={({ currentTarget }) => set('parked', currentTarget.checked ? 'true' : '')}
        />
        <ClearFilters names={ORDER_FILTERS} />
      </SimpleGrid>
    </Paper>
  );
}
