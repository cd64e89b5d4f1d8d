import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { BulkButton } from '../parts/bulk-button';
import type { Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { ExportLink } from '../parts/export-link';
import { SelectFilter, TextFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { IdText } from '../parts/id-text';
import { ListPage } from '../parts/list-page';
import { OrderLink, PartnerLink } from '../parts/partner-link';
import { useSelection } from '../parts/selection';
import { StatusBadge } from '../parts/status-badge';
import { DeliveryBody } from './delivery-body';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';

type Delivery = Schemas['WebhookDeliveryRow'];

const STALE = [['/ops/v1/webhook-deliveries'], ['order']];
const keyOf = ({ id }: Delivery): string => id;
const redeliver = ({ id }: Delivery): Promise<Delivery> =>
  payloadOf(api.POST('/ops/v1/webhook-deliveries/{id}/redeliver', { params: { path: { id } } }));

/** Every webhook that went out or is to, of both environments, newest first. */
export function DeliveriesPage() {
  const { words } = useSpeech();
  const { page, status, subscriptionId } = useSearch({ from: '/webhook-deliveries' });
  const wanted = {
    ...{ page: page ?? 1, pageSize: 50 },
    ...(status && { status: status as Delivery['status'] }),
    ...(subscriptionId && { subscriptionId }),
  };
  const query = useQuery(readQuery('/ops/v1/webhook-deliveries', wanted));
  const selection = useSelection(query.data?.items, keyOf);
  return (
    <ListPage
      title={words.deliveries.title}
      name="deliveries"
      columns={[selection.column, ...useColumns()]}
      query={query}
      keyOf={keyOf}
      page={page}
      isFiltered={Boolean(status ?? subscriptionId)}
      filters={
        <Filters names={['status', 'subscriptionId']}>
          <SelectFilter
            name="status"
            label={words.orders.status}
            value={status}
            options={Object.entries(words.deliveries.statuses)}
          />
          <TextFilter name="subscriptionId" label={words.deliveries.subscription} value={subscriptionId} />
        </Filters>
      }
      actions={
        <>
          <ExportLink
            href="/ops/v1/webhook-deliveries/export"
            filters={{ status, subscriptionId }}
            fileName="webhook-deliveries.csv"
          />
          <BulkButton
            label={words.deliveries.redeliver}
            effect={words.deliveries.redeliverEffect}
            role="support"
            rows={selection.chosen.filter((row) => row.status !== 'Pending')}
            nameOf={keyOf}
            run={redeliver}
            stale={STALE}
          />
        </>
      }
    />
  );
}

function useColumns(): readonly Column<Delivery>[] {
  const { words, formats } = useSpeech();
  const labels = words.deliveries;
  return [
    { id: 'createdAt', title: labels.created, cell: (row) => formats.moment(row.createdAt) },
    { id: 'eventType', title: labels.event, cell: (row) => <Code dir="ltr">{row.eventType}</Code> },
    { id: 'status', title: words.orders.status, cell: (row) => <StatusBadge status={row.status} /> },
    { id: 'partner', title: words.orders.partner, cell: (row) => <PartnerLink id={row.partnerId} /> },
    {
      id: 'order',
      title: words.orders.id,
      cell: ({ orderGlobalId, isTest }) =>
        orderGlobalId ? <OrderLink id={orderGlobalId} /> : isTest ? labels.test : NONE,
    },
    { id: 'environment', title: words.orders.environment, cell: (row) => words.environment[row.environment] },
    {
      id: 'response',
      title: labels.response,
      cell: ({ errorSummary, responseStatus }) => errorSummary ?? responseStatus ?? NONE,
    },
    { id: 'attempts', title: labels.attempts, isNumber: true, cell: (row) => row.attemptCount },
    { id: 'lastAttemptAt', title: labels.last, cell: (row) => formats.moment(row.lastAttemptAt) },
    {
      id: 'nextAttemptAt',
      title: labels.next,
      isExtra: true,
      cell: (row) => formats.moment(row.nextAttemptAt),
    },
    { id: 'id', title: labels.id, isExtra: true, cell: (row) => <IdText id={row.id} /> },
    { id: 'eventId', title: labels.eventId, isExtra: true, cell: (row) => <IdText id={row.eventId} /> },
    {
      id: 'subscriptionId',
      title: labels.subscription,
      isExtra: true,
      cell: (row) => <IdText id={row.subscriptionId} />,
    },
    {
      id: 'actions',
      title: '',
      cell: (row) => (
        <>
          <DeliveryBody id={row.id} />
          {row.status !== 'Pending' && (
            <DecisionButton
              label={labels.redeliver}
              effect={labels.redeliverEffect}
              role="support"
              run={() => redeliver(row)}
              done={() => labels.redelivered}
              stale={STALE}
            />
          )}
        </>
      ),
    },
  ];
}
