import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { IdText } from '../parts/id-text';
import { ListPage } from '../parts/list-page';
import { PartnerLink } from '../parts/partner-link';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';

/** What came of each exchange of the partner's credentials, refused ones too. */
export function SignInsTab({ partner: { id } }: { readonly partner: Schemas['Partner'] }) {
  const { words, formats } = useSpeech();
  const { page } = useSearch({ from: '/partners/$partnerId' });
  const labels = words.credentials;
  const query = { page: page ?? 1, pageSize: 50 };
  return (
    <ListPage<Schemas['SignIn']>
      title={words.partners.tabs.signIns}
      level={2}
      name="sign-ins"
      columns={[
        { id: 'at', title: words.order.when, cell: ({ at }) => formats.moment(at) },
        { id: 'result', title: labels.result, cell: ({ result }) => <Code dir="ltr">{result}</Code> },
        { id: 'clientId', title: labels.client, cell: ({ clientId }) => <IdText id={clientId} /> },
        {
          id: 'environment',
          title: words.orders.environment,
          cell: ({ environment }) => words.environment[environment],
        },
        { id: 'from', title: labels.from, cell: ({ from }) => <bdi>{from ?? NONE}</bdi> },
        {
          id: 'onBehalfOf',
          title: labels.onBehalfOf,
          cell: ({ onBehalfOf }) => (onBehalfOf ? <PartnerLink id={onBehalfOf} /> : NONE),
        },
        {
          id: 'requestId',
          title: words.audit.request,
          isExtra: true,
          cell: ({ requestId }) => <IdText id={requestId} />,
        },
      ]}
      query={useQuery(readQuery('/ops/v1/partners/{id}/sign-ins', query, { id }))}
      keyOf={({ at, requestId }) => `${at} ${requestId}`}
      page={page}
    />
  );
}
