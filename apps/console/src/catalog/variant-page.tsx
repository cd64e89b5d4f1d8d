import { Skeleton, Stack, Title, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { DataTable } from '../parts/data-table';
import { Failure } from '../parts/failure';
import { IdText } from '../parts/id-text';
import { Facts, Part } from '../parts/part';
import { PartnerLink } from '../parts/partner-link';
import { useSpeech } from '../words/words';
import { AddStock, CountStock, OfferSwitch, SetPartnerPrice, SetPrices } from './variant-actions';

type Variant = Schemas['Variant'];

/** One variant: its prices, its stock in each environment, and the prices of single partners. */
export function VariantPage() {
  const { variantId } = useParams({ from: '/catalog/$variantId' });
  const { data, error, refetch } = useQuery(readQuery('/ops/v1/variants/{id}', undefined, { id: variantId }));
  if (data) return <Shown variant={data} />;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={400} />;
}

function Shown({ variant }: { readonly variant: Variant }) {
  const { words, formats } = useSpeech();
  const labels = words.catalog;
  const { sku, scentName, isActive, availability } = variant;
  return (
    <Stack>
      <Group gap="sm">
        <Title order={1}>
          <bdi>{scentName}</bdi>
        </Title>
        <IdText id={sku} />
        <Text fw={600}>{isActive ? labels.offered : labels.notOffered}</Text>
        <Text>{labels.availabilities[availability]}</Text>
      </Group>
      <Part
        title={labels.prices}
        actions={
          <>
            <SetPrices
              key={JSON.stringify([variant.listPrice, variant.cost, variant.rrp])}
              variant={variant}
            />
            <OfferSwitch variant={variant} />
          </>
        }
      >
        <Facts
          facts={[
            [labels.price, formats.money(variant.listPrice)],
            [labels.cost, formats.money(variant.cost)],
            [labels.rrp, variant.rrp === null ? '–' : formats.money(variant.rrp)],
            [labels.brand, <bdi key="brand">{variant.brandName}</bdi>],
            [labels.size, formats.number(variant.sizeMl)],
            [labels.warehouse, variant.warehouse],
          ]}
        />
      </Part>
      <Part title={labels.stock}>
        <Stock variant={variant} />
      </Part>
      <Part title={labels.partnerPrices} actions={<SetPartnerPrice variant={variant} />}>
        <DataTable
          label={labels.partnerPrices}
          columns={[
            {
              id: 'partner',
              title: words.orders.partner,
              cell: ({ partnerId }) => <PartnerLink id={partnerId} />,
            },
            {
              id: 'price',
              title: labels.price,
              isNumber: true,
              cell: ({ listPrice }) => formats.money(listPrice),
            },
          ]}
          rows={variant.partnerPrices}
          keyOf={({ partnerId }) => partnerId}
          empty={labels.noPartnerPrices}
        />
      </Part>
    </Stack>
  );
}

function Stock({ variant }: { readonly variant: Variant }) {
  const { words, formats } = useSpeech();
  const labels = words.catalog;
  return (
    <DataTable
      label={labels.stock}
      columns={[
        {
          id: 'environment',
          title: words.orders.environment,
          cell: ({ environment }) => words.environment[environment],
        },
        {
          id: 'onHand',
          title: labels.onHand,
          isNumber: true,
          cell: ({ stockOnHand }) => formats.number(stockOnHand),
        },
        {
          id: 'reserved',
          title: labels.reserved,
          isNumber: true,
          cell: ({ stockReserved }) => formats.number(stockReserved),
        },
        {
          id: 'actions',
          title: '',
          cell: (stock) => (
            <Group gap={4} wrap="nowrap">
              <CountStock variant={variant} stock={stock} />
              <AddStock variant={variant} stock={stock} />
            </Group>
          ),
        },
      ]}
      rows={variant.stock}
      keyOf={({ environment }) => environment}
      empty={words.list.none}
    />
  );
}
