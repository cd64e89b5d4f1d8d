import { Button, Group } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { ExportLink } from '../parts/export-link';
import { TextFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { LinkTo } from '../parts/link-to';
import { ListPage } from '../parts/list-page';
import { useSpeech } from '../words/words';
import { partnerColumns } from './partner-columns';

type Page = { items: Schemas['Partner'][]; pagination: Schemas['Pagination'] };

/** Every partner, newest first, or those that a name or an id finds. */
export function PartnersPage() {
  const speech = useSpeech();
  const { words } = speech;
  const { page, name } = useSearch({ from: '/partners' });
  return (
    <ListPage
      title={words.partners.title}
      name="partners"
      columns={partnerColumns(speech)}
      query={usePartners(name, page)}
      keyOf={({ id }) => id}
      page={page}
      isFiltered={Boolean(name)}
      filters={
        <Filters names={['name']}>
          <TextFilter name="name" label={words.partners.findByName} value={name} />
        </Filters>
      }
      actions={
        <Group>
          {!name && <ExportLink href="/ops/v1/partners/export" filters={{}} fileName="partners.csv" />}
          <Button size="xs" renderRoot={(props) => <LinkTo {...props} to="/onboarding" />}>
            {words.onboarding.start}
          </Button>
        </Group>
      }
    />
  );
}

function usePartners(name: string | undefined, page = 1): UseQueryResult<Page> {
  const all = useQuery({
    ...readQuery('/ops/v1/partners', { page, pageSize: 50 }),
    enabled: !name,
  });
  const found = useQuery({
    ...readQuery('/ops/v1/search', { q: name ?? '' }),
    enabled: Boolean(name),
    select: ({ partners: items }): Page => ({
      items,
      pagination: { page: 1, pageSize: items.length, totalCount: items.length, totalPages: 1 },
    }),
  });
  return name ? found : all;
}
