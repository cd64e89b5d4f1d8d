import { Anchor, Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import type { Column } from '../parts/data-table';
import { SelectFilter, TextFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { LinkTo } from '../parts/link-to';
import { ListPage } from '../parts/list-page';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';

type Variant = Schemas['VariantRow'];

const FILTERS = ['availability', 'isActive', 'search', 'brandId'] as const;

/** What is sold of the scent catalog, with stock and cost. */
export function CatalogPage() {
  const { words } = useSpeech();
  const { page, ...given } = useSearch({ from: '/catalog' });
  const labels = words.catalog;
  const filters = given as {
    availability?: Variant['availability'];
    isActive?: 'true' | 'false';
    search?: string;
    brandId?: string;
  };
  return (
    <ListPage
      title={labels.title}
      name="catalog"
      columns={useColumns()}
      query={useQuery(readQuery('/ops/v1/variants', { ...filters, page: page ?? 1, pageSize: 50 }))}
      keyOf={({ id }) => id}
      page={page}
      isFiltered={FILTERS.some((name) => given[name])}
      filters={
        <Filters names={FILTERS}>
          <TextFilter name="search" label={labels.search} value={given.search} />
          <SelectFilter
            name="availability"
            label={labels.availability}
            value={given.availability}
            options={Object.entries(labels.availabilities)}
          />
          <SelectFilter
            name="isActive"
            label={labels.offered}
            value={given.isActive}
            options={[
              ['true', labels.offered],
              ['false', labels.notOffered],
            ]}
          />
        </Filters>
      }
      actions={
        <Anchor size="sm" renderRoot={(props) => <LinkTo {...props} to="/brands" />}>
          {labels.brands}
        </Anchor>
      }
    />
  );
}

function useColumns(): readonly Column<Variant>[] {
  const { words, formats } = useSpeech();
  const environment = useEnvironment();
  const labels = words.catalog;
  const stockOf = ({ stock }: Variant) => stock.find((one) => one.environment === environment);
  return [
    {
      id: 'sku',
      title: labels.sku,
      cell: ({ id, sku }) => (
        <Anchor
          ff="monospace"
          fz="sm"
          dir="ltr"
          renderRoot={(props) => <LinkTo {...props} to="/catalog/$variantId" params={{ variantId: id }} />}
        >
          {sku}
        </Anchor>
      ),
    },
    {
      id: 'scentName',
      title: labels.scent,
      cell: ({ scentName, isSample }) => (
        <Group gap={4}>
          <bdi>{scentName}</bdi>
          {isSample && (
            <Badge variant="light" radius="sm" tt="none" className="status">
              {labels.sample}
            </Badge>
          )}
        </Group>
      ),
    },
    { id: 'brandName', title: labels.brand, cell: ({ brandName }) => <bdi>{brandName}</bdi> },
    { id: 'sizeMl', title: labels.size, isNumber: true, cell: ({ sizeMl }) => formats.number(sizeMl) },
    { id: 'listPrice', title: labels.price, isNumber: true, cell: (row) => formats.money(row.listPrice) },
    { id: 'cost', title: labels.cost, isNumber: true, isExtra: true, cell: (row) => formats.money(row.cost) },
    {
      id: 'stockOnHand',
      title: labels.onHand,
      isNumber: true,
      cell: (row) => formats.number(stockOf(row)?.stockOnHand ?? 0),
    },
    {
      id: 'stockReserved',
      title: labels.reserved,
      isNumber: true,
      cell: (row) => formats.number(stockOf(row)?.stockReserved ?? 0),
    },
    {
      id: 'availability',
      title: labels.availability,
      cell: (row) => labels.availabilities[row.availability],
    },
    {
      id: 'isActive',
      title: labels.offered,
      cell: ({ isActive }) => (isActive ? labels.offered : labels.notOffered),
    },
    { id: 'warehouse', title: labels.warehouse, isExtra: true, cell: ({ warehouse }) => warehouse },
  ];
}
