import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readQuery, searchQuery } from '../api/queries';
import { useSpeech } from '../words/words';
import { useSetFilter } from './filter-fields';

interface Props {
  readonly value: string | undefined;
  readonly onChange: (partnerId: string) => void;
  readonly label: string;
  readonly size?: 'xs' | 'sm';
}

/** One partner, found by a part of its name or by any of its ids. */
export function PartnerSelect({ value, onChange, label, size = 'sm' }: Props) {
  const { words } = useSpeech();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), 250);
  const found = useQuery(searchQuery(wanted));
  const chosen = useQuery({
    ...readQuery('/ops/v1/partners/{id}', undefined, { id: value ?? '' }),
    enabled: Boolean(value),
    refetchInterval: false,
    staleTime: 300_000,
  });
  const partners = [...(chosen.data ? [chosen.data] : []), ...(found.data?.partners ?? [])];
  const options = new Map(partners.map(({ id, name, globalId }) => [id, `${name} (${globalId})`]));
  return (
    <Select
      size={size}
      label={label}
      searchable
      clearable
      value={value ?? null}
      onChange={(id) => onChange(id ?? '')}
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...options].map(([id, name]) => ({ value: id, label: name }))}
      // What the API found fits in ways that a label does not show.
      filter={({ options: all }) => all}
      nothingFoundMessage={words.partners.typeName}
      clearButtonProps={{ 'aria-label': words.list.clear }}
    />
  );
}

/** The filter of a list to one partner. */
export function PartnerFilter({ value }: { readonly value: string | undefined }) {
  const { words } = useSpeech();
  const set = useSetFilter();
  return (
    <PartnerSelect
      size="xs"
      label={words.orders.partner}
      value={value}
      onChange={(partnerId) => set('partnerId', partnerId)}
    />
  );
}
