import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { IdText } from '../parts/id-text';
import { LinkTo } from '../parts/link-to';
import { ListPage } from '../parts/list-page';
import { NONE } from '../words/formats';
import { useOwn, useSpeech } from '../words/words';

const WORDS = {
  en: {
    url: 'URL',
    events: 'Events',
    isActive: 'State',
    active: 'Active',
    paused: 'Paused',
    result: 'Result',
  },
  ar: {
    url: 'العنوان',
    events: 'الأحداث',
    isActive: 'الحالة',
    active: 'نشط',
    paused: 'موقوف',
    result: 'النتيجة',
  },
};

/** Where the partner gets which events, in both environments, and what the last attempt came to. */
export function WebhooksTab({ partner: { id: partnerId } }: { readonly partner: Schemas['Partner'] }) {
  const { words, formats } = useSpeech();
  const { page } = useSearch({ from: '/partners/$partnerId' });
  const own = useOwn(WORDS);
  const labels = words.deliveries;
  return (
    <ListPage<Schemas['Webhook']>
      title={words.partners.tabs.webhooks}
      level={2}
      name="webhooks"
      columns={[
        { id: 'url', title: own.url, cell: ({ url }) => <Code dir="ltr">{url}</Code> },
        {
          id: 'environment',
          title: words.orders.environment,
          cell: ({ environment }) => words.environment[environment],
        },
        { id: 'isActive', title: own.isActive, cell: ({ isActive }) => (isActive ? own.active : own.paused) },
        {
          id: 'eventTypes',
          title: own.events,
          cell: ({ eventTypes }) => <Code dir="ltr">{eventTypes.join(', ')}</Code>,
        },
        { id: 'lastDeliveryAt', title: labels.last, cell: (one) => formats.moment(one.lastDeliveryAt) },
        {
          id: 'lastDeliveryStatus',
          title: own.result,
          cell: ({ lastDeliveryStatus }) => <bdi>{lastDeliveryStatus ?? NONE}</bdi>,
        },
        { id: 'createdAt', title: labels.created, cell: ({ createdAt }) => formats.moment(createdAt) },
        { id: 'id', title: labels.subscription, isExtra: true, cell: ({ id }) => <IdText id={id} /> },
        {
          id: 'deliveries',
          title: '',
          cell: ({ id }) => (
            <LinkTo to="/webhook-deliveries" filters={{ subscriptionId: id }}>
              {words.pages.deliveries}
            </LinkTo>
          ),
        },
      ]}
      query={useQuery(readQuery('/ops/v1/webhooks', { partnerId, page: page ?? 1, pageSize: 50 }))}
      keyOf={({ id }) => id}
      page={page}
    />
  );
}
