import '@mantine/spotlight/styles.css';
import { Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  Spotlight,
  spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Schemas } from '../api/client';
import { searchQuery } from '../api/queries';
import { useSpeech } from '../words/words';
import { PAGES, type PageAddress } from './pages';
import { readRecent } from './recent';

/** Opened whenever `openings` grows. One field for all that an operator may have in hand: pages, what was opened last, and whatever the API finds by it. */
export function Palette({ openings }: { readonly openings: number }) {
  useEffect(() => spotlight.open(), [openings]);
  const { words } = useSpeech();
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 250);
  const { data, isFetching } = useQuery(searchQuery(wanted));
  const go = useGo();
  const matches = (label: string): boolean => label.toLowerCase().includes(text.trim().toLowerCase());
  const pages = PAGES.filter(({ name }) => matches(words.pages[name])).map((page): SpotlightActionData => ({
    id: `page-${page.name}`,
    label: words.pages[page.name],
    onClick: () => go.to(page.to),
  }));
  const recent = readRecent()
    .filter(({ label, id }) => matches(label) || matches(id))
    .map(({ kind, id, label }): SpotlightActionData => ({
      id: `recent-${id}`,
      label,
      ...(label !== id && { description: id }),
      onClick: () => (kind === 'order' ? go.order(id) : go.partner(id)),
    }));
  const found = data && wanted !== '' ? foundActions(data, go) : [];
  const groups: SpotlightActionGroupData[] = [
    { group: words.search.found, actions: found },
    { group: words.search.recent, actions: recent },
    { group: words.search.pages, actions: pages },
  ].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      query={text}
      onQueryChange={setText}
      // What the API found fits in ways that a label does not show.
      filter={(_query, actions) => actions}
      shortcut={null}
      nothingFound={
        isFetching ? (
          <Loader size="sm" />
        ) : (
          <Text size="sm">{`${words.search.nothing}. ${words.search.hint}`}</Text>
        )
      }
      scrollable
      maxHeight={480}
      searchProps={{
        type: 'search',
        placeholder: words.search.placeholder,
        'aria-label': words.search.name,
        rightSection: isFetching ? <Loader size="xs" /> : null,
      }}
    />
  );
}

interface Go {
  to(page: PageAddress): void;
  order(id: string): void;
  partner(id: string): void;
}

function useGo(): Go {
  const navigate = useNavigate();
  const search = (({ environment }: { environment: unknown }) => ({ environment })) as never;
  return {
    to: (to) => void navigate({ to, search }),
    order: (orderGlobalId) =>
      void navigate({ to: '/orders/$orderGlobalId', params: { orderGlobalId }, search }),
    partner: (partnerId) => void navigate({ to: '/partners/$partnerId', params: { partnerId }, search }),
  };
}

function foundActions({ orders, partners, deliveries }: Schemas['Found'], go: Go): SpotlightActionData[] {
  return [
    ...orders.map(({ orderGlobalId, partnerName, externalReference, status }) => ({
      id: `order-${orderGlobalId}`,
      label: orderGlobalId,
      description: [partnerName, externalReference, status].filter(Boolean).join(' · '),
      onClick: () => go.order(orderGlobalId),
    })),
    ...partners.map(({ id, name, globalId }) => ({
      id: `partner-${id}`,
      label: name,
      description: globalId,
      onClick: () => go.partner(id),
    })),
    ...deliveries.map(({ id, eventType, orderGlobalId, status }) => ({
      id: `delivery-${id}`,
      label: eventType,
      description: [orderGlobalId, status, id].filter(Boolean).join(' · '),
      onClick: () => (orderGlobalId ? go.order(orderGlobalId) : go.to('/webhook-deliveries')),
    })),
  ];
}
