import { Code, Group } from '@mantine/core';
import { api, payloadOf, type Schemas } from '../api/client';
import { DataTable, type Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { IdText } from '../parts/id-text';
import { StatusBadge } from '../parts/status-badge';
import { DeliveryBody } from '../webhooks/delivery-body';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';
import { transactionColumns } from '../partners/transaction-columns';

/** The ledger's lines of an order. */
export function MoneyTable({ lines }: { readonly lines: readonly Schemas['LedgerLine'][] }) {
  const speech = useSpeech();
  const { words } = speech;
  const columns = transactionColumns(speech)
    .filter(({ id }) => id !== 'referenceId' && id !== 'notes')
    .map((column) => ({ ...column, isExtra: false }));
  return (
    <DataTable
      label={words.order.money}
      columns={columns}
      rows={lines}
      keyOf={({ transactionId }) => String(transactionId)}
      empty={words.order.noMoney}
    />
  );
}

/** The deliveries about an order, each with its attempts. */
export function WebhooksTable({
  deliveries,
}: {
  readonly deliveries: readonly Schemas['WebhookDelivery'][];
}) {
  const { words, formats } = useSpeech();
  const columns: readonly Column<Schemas['WebhookDelivery']>[] = [
    { id: 'createdAt', title: words.order.when, cell: ({ createdAt }) => formats.moment(createdAt) },
    {
      id: 'eventType',
      title: words.order.event,
      cell: ({ eventType }) => <Code dir="ltr">{eventType}</Code>,
    },
    { id: 'status', title: words.orders.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'attempts',
      title: words.order.tries,
      cell: ({ attempts }) =>
        attempts
          .map(
            ({ responseStatus, errorSummary, durationMs }) =>
              `${errorSummary ?? responseStatus ?? NONE} (${formats.duration(durationMs)})`,
          )
          .join(', ') || NONE,
    },
    { id: 'next', title: words.order.next, cell: ({ nextAttemptAt }) => formats.moment(nextAttemptAt) },
    { id: 'id', title: words.order.delivery, cell: ({ id }) => <IdText id={id} /> },
    { id: 'body', title: '', cell: ({ id }) => <DeliveryBody id={id} /> },
  ];
  return (
    <DataTable
      label={words.order.webhooks}
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      empty={words.order.noWebhooks}
    />
  );
}

type Group_ = NonNullable<Schemas['OrderTimeline']['scentOrder']>['fulfillmentGroups'][number];

/** A scent order's groups, and how each goes on. */
export function GroupsTable({
  groups,
  orderGlobalId,
}: {
  readonly groups: readonly Group_[];
  readonly orderGlobalId: string;
}) {
  const { words, formats } = useSpeech();
  const columns: readonly Column<Group_>[] = [
    { id: 'id', title: words.order.group, cell: ({ id }) => <IdText id={id} /> },
    { id: 'status', title: words.orders.status, cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'deliveredAt', title: words.orders.ended, cell: ({ deliveredAt }) => formats.moment(deliveredAt) },
    {
      id: 'actions',
      title: '',
      cell: (group) => <GroupActions group={group} orderGlobalId={orderGlobalId} />,
    },
  ];
  return (
    <DataTable
      label={words.order.groups}
      columns={columns}
      rows={groups}
      keyOf={({ id }) => id}
      empty={words.list.none}
    />
  );
}

const VERBS = { ship: ['Pending'], deliver: ['Shipped'], cancel: ['Pending', 'Shipped'] } as const;

function GroupActions({ group, orderGlobalId }: { readonly group: Group_; readonly orderGlobalId: string }) {
  const { words } = useSpeech();
  const fitting = (['ship', 'deliver', 'cancel'] as const).filter((verb) =>
    (VERBS[verb] as readonly string[]).includes(group.status),
  );
  return (
    <Group gap={4} wrap="nowrap">
      {fitting.map((verb) => (
        <DecisionButton
          key={verb}
          label={words.groups[verb]}
          effect={words.groups.effect[verb]}
          role="support"
          isDangerous={verb === 'cancel'}
          run={() => move(group.id, verb)}
          done={() => words.groups.done}
          stale={[['order', orderGlobalId], ['orders']]}
        />
      ))}
    </Group>
  );
}

function move(id: string, verb: keyof typeof VERBS): Promise<unknown> {
  const params = { path: { id } };
  if (verb === 'ship') return payloadOf(api.POST('/ops/v1/fulfillment-groups/{id}/ship', { params }));
  if (verb === 'deliver') return payloadOf(api.POST('/ops/v1/fulfillment-groups/{id}/deliver', { params }));
  return payloadOf(api.POST('/ops/v1/fulfillment-groups/{id}/cancel', { params }));
}
