import { NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { DecisionButton } from '../parts/decision-button';
import { ListPage } from '../parts/list-page';
import { useSpeech } from '../words/words';

type Brand = Schemas['Brand'];

/** The brands, each with the commission that its sales pay. */
export function BrandsPage() {
  const { words, formats } = useSpeech();
  const { page } = useSearch({ from: '/brands' });
  const labels = words.catalog;
  return (
    <ListPage<Brand>
      title={labels.brands}
      name="brands"
      columns={[
        { id: 'name', title: labels.brand, cell: ({ name }) => <bdi>{name}</bdi> },
        {
          id: 'commissionRate',
          title: labels.commission,
          isNumber: true,
          cell: ({ commissionRate }) =>
            commissionRate === null ? labels.byDefault : formats.share(commissionRate),
        },
        { id: 'actions', title: '', cell: (row) => <SetCommission key={row.commissionRate} of={row} /> },
      ]}
      query={useQuery(readQuery('/ops/v1/brands', { page: page ?? 1, pageSize: 50 }))}
      keyOf={({ id }) => id}
      page={page}
    />
  );
}

function SetCommission({ of: { id, commissionRate } }: { readonly of: Brand }) {
  const { words } = useSpeech();
  const [rate, setRate] = useState<string | number>(commissionRate ?? '');
  return (
    <DecisionButton
      label={words.catalog.setCommission}
      effect={words.catalog.commissionEffect}
      role="catalog"
      fields={
        <NumberInput
          label={words.catalog.commission}
          min={0}
          max={1}
          step={0.01}
          decimalScale={6}
          value={rate}
          onChange={setRate}
        />
      }
      run={() => {
        const body = { commissionRate: rate === '' ? null : Number(rate) };
        return payloadOf(api.PATCH('/ops/v1/brands/{id}', { params: { path: { id } }, body }));
      }}
      done={() => words.catalog.changed}
      stale={[['/ops/v1/brands']]}
    />
  );
}
