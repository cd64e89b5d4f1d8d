import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSpeech } from '../words/words';

/** Sets a filter in the address bar, at the list's first page. */
export function useSetFilter(): (name: string, value: string) => void {
  const navigate = useNavigate();
  return (name, value) =>
    void navigate({
      to: '.',
      search: ((kept: object) => ({ ...kept, page: undefined, [name]: value || undefined })) as never,
    });
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
}

/** One of a few values, or any. */
export function SelectFilter({
  name,
  label,
  value = '',
  options,
}: FieldProps & { readonly options: readonly (readonly [value: string, label: string])[] }) {
  const { words } = useSpeech();
  const set = useSetFilter();
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      onChange={({ currentTarget }) => set(name, currentTarget.value)}
      data={[
        { value: '', label: words.list.any },
        ...options.map(([one, title]) => ({ value: one, label: title })),
      ]}
    />
  );
}

/** A text that is looked for as it is, once it is left or Enter is pressed. */
export function TextFilter({ name, label, value = '' }: FieldProps) {
  const set = useSetFilter();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = (): void => {
    if (typed.trim() !== value) set(name, typed.trim());
  };
  return (
    <TextInput
      size="xs"
      label={label}
      value={typed}
      dir="auto"
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}

/** A moment, chosen in this browser's time zone and kept in UTC. */
export function MomentFilter({ name, label, value }: FieldProps) {
  const set = useSetFilter();
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      label={label}
      value={localTime(value)}
      onChange={({ currentTarget }) =>
        set(name, currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString())
      }
    />
  );
}

/** What a datetime-local field shows of a moment. */
function localTime(value: string | undefined): string {
  const at = new Date(value ?? NaN);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
