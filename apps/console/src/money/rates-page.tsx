import { NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { DecisionButton } from '../parts/decision-button';
import { ListPage } from '../parts/list-page';
import { useSpeech } from '../words/words';

type Rate = Schemas['DisplayRate'];

/** What one SAR is worth where balances and prices are shown in another currency. */
export function RatesPage() {
  const { words, formats } = useSpeech();
  const { page } = useSearch({ from: '/rates' });
  const labels = words.rates;
  return (
    <ListPage<Rate>
      title={labels.title}
      name="rates"
      columns={[
        { id: 'currency', title: labels.currency, cell: ({ currency }) => currency },
        { id: 'rate', title: labels.rate, isNumber: true, cell: ({ rate }) => rate },
        { id: 'updatedAt', title: labels.updated, cell: ({ updatedAt }) => formats.moment(updatedAt) },
        {
          id: 'actions',
          title: '',
          cell: (row) => <SetRate key={row.rate} label={labels.change} of={row} />,
        },
      ]}
      query={useQuery(readQuery('/ops/v1/rates', { page: page ?? 1, pageSize: 50 }))}
      keyOf={({ currency }) => currency}
      page={page}
      actions={<SetRate label={labels.set} />}
    />
  );
}

function SetRate({ label, of }: { readonly label: string; readonly of?: Rate }) {
  const { words } = useSpeech();
  const [currency, setCurrency] = useState(of?.currency ?? '');
  const [rate, setRate] = useState<string | number>(of?.rate ?? '');
  return (
    <DecisionButton
      label={label}
      effect={words.rates.effect}
      role="finance"
      fields={
        <>
          <TextInput
            label={words.rates.currency}
            required
            maxLength={3}
            disabled={of !== undefined}
            value={currency}
            onChange={({ currentTarget }) => setCurrency(currentTarget.value.toUpperCase())}
          />
          <NumberInput
            label={words.rates.rate}
            required
            min={0.000001}
            decimalScale={6}
            value={rate}
            onChange={setRate}
          />
        </>
      }
      run={() =>
        payloadOf(
          api.PUT('/ops/v1/rates/{currency}', {
            params: { path: { currency } },
            body: { rate: Number(rate) },
          }),
        )
      }
      done={(set) => words.rates.done(set.currency)}
      stale={[['/ops/v1/rates']]}
    />
  );
}
