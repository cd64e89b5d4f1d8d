import { Alert, Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Schemas } from '../api/client';
import { orderRowQuery, timelineQuery } from '../api/queries';
import { Failure } from '../parts/failure';
import { IdText } from '../parts/id-text';
import { Facts, Part } from '../parts/part';
import { PartnerLink } from '../parts/partner-link';
import { StatusBadge } from '../parts/status-badge';
import { useEnvironment } from '../parts/use-environment';
import { rememberRecent } from '../shell/recent';
import { useSpeech } from '../words/words';
import { Json } from '../webhooks/delivery-body';
import { Decisions } from './decisions';
import { GroupsTable, MoneyTable, WebhooksTable } from './order-tables';
import { TimelineTable } from './timeline-table';
import { Waterfall } from './waterfall';

type Timeline = Schemas['OrderTimeline'];

/** One order: what it is, what may be decided, and all that happened to it. */
export function OrderPage() {
  const { orderGlobalId } = useParams({ from: '/orders/$orderGlobalId' });
  const { data, error, refetch } = useQuery(timelineQuery(orderGlobalId));
  useEffect(() => {
    if (data) rememberRecent({ kind: 'order', id: orderGlobalId, label: orderGlobalId });
  }, [data, orderGlobalId]);
  if (data) return <ShownOrder timeline={data} refresh={() => void refetch()} />;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={400} />;
}

function ShownOrder({ timeline, refresh }: { readonly timeline: Timeline; readonly refresh: () => void }) {
  const { words } = useSpeech();
  const { order, entries, scentOrder, missing = [] } = timeline;
  useWorldOf(order);
  return (
    <Stack>
      <Group gap="sm">
        <Title order={1}>{words.orders.one}</Title>
        <IdText id={order.orderGlobalId} />
        <StatusBadge status={order.status} />
        <Text fw={600}>{words.environment[order.environment]}</Text>
      </Group>
      <Changed order={order} refresh={refresh} />
      <Part title={words.order.decisions}>
        <Parked parked={order.parked} />
        <Decisions timeline={timeline} />
      </Part>
      <OrderFacts order={order} />
      {timeline.request && (
        <Part title={words.order.request}>
          <Json value={timeline.request} />
        </Part>
      )}
      {missing.map((type) => (
        <Alert key={type} color="orange" role="status" title={words.order.missing[type]}>
          <Button size="xs" onClick={refresh}>
            {words.failure.retry}
          </Button>
        </Alert>
      ))}
      <History entries={entries} />
      {scentOrder && (
        <Part title={words.order.groups}>
          <GroupsTable groups={scentOrder.fulfillmentGroups} orderGlobalId={order.orderGlobalId} />
        </Part>
      )}
      {!missing.includes('WalletTransaction') && (
        <Part title={words.order.money}>
          <MoneyTable
            lines={entries.flatMap((entry) => (entry.type === 'WalletTransaction' ? [entry.details] : []))}
          />
        </Part>
      )}
      {!missing.includes('WebhookDelivery') && (
        <Part title={words.order.webhooks}>
          <WebhooksTable
            deliveries={entries.flatMap((entry) => (entry.type === 'WebhookDelivery' ? [entry.details] : []))}
          />
        </Part>
      )}
    </Stack>
  );
}

/** An order that was found from the other world is never shown under this one's name and colour. */
function useWorldOf({ environment }: Timeline['order']): void {
  const shown = useEnvironment();
  const navigate = useNavigate();
  useEffect(() => {
    const search = (kept: object) => ({ ...kept, environment });
    if (shown !== environment) void navigate({ to: '.', search: search as never, replace: true });
  }, [shown, environment, navigate]);
}

/** Says when the order is no longer as it is shown, as when another operator decided it. */
function Changed({ order, refresh }: { readonly order: Timeline['order']; readonly refresh: () => void }) {
  const { words } = useSpeech();
  const { data: now } = useQuery(orderRowQuery(order.orderGlobalId));
  const isSame = !now || (now.status === order.status && now.parked.length === order.parked.length);
  if (isSame) return null;
  return (
    <Alert color="orange" role="status" title={words.order.changed(words.status[now.status])}>
      <Button size="xs" onClick={refresh}>
        {words.order.showNew}
      </Button>
    </Alert>
  );
}

function Parked({ parked }: Pick<Timeline['order'], 'parked'>) {
  const { words, formats } = useSpeech();
  return parked.map(({ step, code, reason, since, subjectId }) => (
    <Alert key={`${step}-${subjectId}`} color="orange" title={words.order.parked}>
      <Text size="sm">{reason}</Text>
      <Text size="xs" c="dimmed">
        <bdi>{[step, code, subjectId].filter(Boolean).join(' · ')}</bdi> · {words.order.since}{' '}
        {formats.moment(since)}
      </Text>
    </Alert>
  ));
}

function OrderFacts({ order }: { readonly order: Timeline['order'] }) {
  const { words, formats } = useSpeech();
  return (
    <Part title={words.order.facts}>
      <Facts
        facts={[
          [words.orders.partner, <PartnerLink key="partner" id={order.partnerId} name={order.partnerName} />],
          [words.orders.amount, formats.money(order.amount, order.currency)],
          [words.orders.product, words.product[order.productType]],
          [words.orders.reference, <IdText key="reference" id={order.externalReference} />],
          [words.orders.submitted, formats.moment(order.submittedAt)],
          [words.orders.ended, formats.moment(order.completedAt)],
        ]}
      />
    </Part>
  );
}

function History({ entries }: Pick<Timeline, 'entries'>) {
  const { words } = useSpeech();
  const [view, setView] = useState('picture');
  return (
    <Part title={words.order.timeline}>
      <SegmentedControl
        size="xs"
        className="fit"
        aria-label={words.order.timeline}
        value={view}
        onChange={setView}
        data={[
          { value: 'picture', label: words.order.picture },
          { value: 'table', label: words.order.table },
        ]}
      />
      {view === 'picture' ? <Waterfall entries={entries} /> : <TimelineTable entries={entries} />}
    </Part>
  );
}
