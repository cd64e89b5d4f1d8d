import { Paper, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSpeech } from '../words/words';
import { ClearFilters } from './list-page';

/** The filters of a list side by side, and the way to none. */
export function Filters({
  names,
  children,
}: {
  readonly names: readonly string[];
  readonly children: ReactNode;
}) {
  const { words } = useSpeech();
  return (
    <Paper withBorder p="sm" role="group" aria-label={words.list.filters}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" className="filters">
        {children}
        <ClearFilters names={names} />
      </SimpleGrid>
    </Paper>
  );
}
