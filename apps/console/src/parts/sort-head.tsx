import { UnstyledButton } from '@mantine/core';
import { useSpeech } from '../words/words';
import { useSetFilter } from './filter-fields';

/** Which end of a list comes first. */
export type Sort = 'newest' | 'oldest';

/** The title of the column that a list is sorted by; a click turns the list round. */
export function SortHead({ title, sort }: { readonly title: string; readonly sort: Sort }) {
  const { words } = useSpeech();
  const set = useSetFilter();
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      title={words.list.sorted[sort]}
      onClick={() => set('sort', sort === 'oldest' ? '' : 'oldest')}
    >
      {title} <span aria-hidden>{sort === 'oldest' ? '↑' : '↓'}</span>
    </UnstyledButton>
  );
}
