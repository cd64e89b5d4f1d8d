import {
  Anchor,
  Group,
  NativeSelect,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { overviewQuery } from '../api/queries';
import { Away } from '../parts/away';
import { Failure } from '../parts/failure';
import { LinkTo } from '../parts/link-to';
import { useEnvironment } from '../parts/use-environment';
import { RANGES } from '../search';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';
import { Charts } from './charts';
import { sumOf, totalsOf } from './figures';
import { Figure } from './figure';
import { Vendors } from './vendors';
import { Waiting } from './waiting';

/** An environment at a glance: what waits for a person first (spec §18.7). */
export function OverviewPage() {
  const { words, formats } = useSpeech();
  const environment = useEnvironment();
  const { hours, split } = useSearch({ from: '/overview' });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(overviewQuery(environment, hours));
  const set = (search: object): void =>
    void navigate({ to: '.', search: ((kept: object) => ({ ...kept, ...search })) as never });
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{words.pages.overview}</Title>
        <Group gap="xs">
          {data && (
            <Text size="xs" c="dimmed">
              {words.overview.updated(formats.moment(data.to))}
            </Text>
          )}
          <NativeSelect
            size="xs"
            aria-label={words.overview.range}
            value={String(hours)}
            onChange={({ currentTarget }) => set({ hours: Number(currentTarget.value) })}
            data={RANGES.map((range) => ({
              value: String(range),
              label: words.overview.ranges[String(range) as keyof typeof words.overview.ranges],
            }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={words.overview.split}
            value={split}
            onChange={(chosen) => set({ split: chosen })}
            data={[
              { value: 'status', label: words.overview.byStatus },
              { value: 'product', label: words.overview.byProduct },
            ]}
          />
        </Group>
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <Away services={data?.missing} />
      {(data || !error) && <Waiting waiting={data?.waiting} />}
      {data && (
        <>
          <Figures overview={data} />
          <Charts overview={data} split={split} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Totals overview={data} split={split} />
            <Refusals refusals={data.refusals} />
          </SimpleGrid>
          <Vendors vendors={data.vendors} />
        </>
      )}
    </Stack>
  );
}

function Figures({ overview: { orders, creates, webhooks } }: { readonly overview: Schemas['Overview'] }) {
  const { words, formats } = useSpeech();
  const ms = (value: number | null): string => (value === null ? NONE : formats.duration(value));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }}>
      <Figure
        title={words.overview.total}
        value={formats.number(orders.reduce((sum, { count }) => sum + count, 0))}
        to="/orders"
      />
      <Figure
        title={words.overview.money}
        value={formats.money(sumOf(orders.map(({ amount }) => amount)))}
        to="/orders"
      />
      <Figure title={words.overview.creates} value={formats.number(creates.count)} />
      <Figure
        title={words.overview.latency}
        value={`${ms(creates.p50Ms)} · ${ms(creates.p99Ms)}`}
        hint={`${words.overview.median} · ${words.overview.p99}`}
      />
      <Figure
        title={words.overview.webhooks}
        value={typeof webhooks?.successRate === 'number' ? formats.share(webhooks.successRate) : NONE}
        hint={words.overview.successRate}
        to="/webhook-deliveries"
      />
      <Figure
        title={words.overview.pending}
        value={webhooks ? formats.number(webhooks.pending) : NONE}
        hint={`${words.overview.deadLettered}: ${webhooks ? formats.number(webhooks.deadLettered) : NONE}`}
        to="/webhook-deliveries"
        filters={{ status: 'Pending' }}
      />
    </SimpleGrid>
  );
}

function Totals({
  overview: { orders },
  split,
}: {
  readonly overview: Schemas['Overview'];
  readonly split: 'status' | 'product';
}) {
  const { words, formats } = useSpeech();
  const names: Readonly<Record<string, string>> = { ...words.status, ...words.product };
  const totals = totalsOf(orders, (hour) => (split === 'status' ? hour.status : hour.productType));
  return (
    <Paper withBorder p="md">
      <Title order={2}>{split === 'status' ? words.overview.byStatus : words.overview.byProduct}</Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{split === 'status' ? words.overview.byStatus : words.overview.byProduct}</Table.Th>
            <Table.Th className="number">{words.overview.orders}</Table.Th>
            <Table.Th className="number">{words.overview.amount}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals.map(({ key, count, amount }) => (
            <Table.Tr key={key}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => (
                    <LinkTo
                      {...props}
                      to="/orders"
                      filters={split === 'status' ? { status: key } : { productType: key }}
                    />
                  )}
                >
                  {names[key] ?? key}
                </Anchor>
              </Table.Td>
              <Table.Td className="number">{formats.number(count)}</Table.Td>
              <Table.Td className="number">{formats.money(amount)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {totals.length === 0 && <Text c="dimmed">{words.overview.noOrders}</Text>}
    </Paper>
  );
}

function Refusals({ refusals }: Pick<Schemas['Overview'], 'refusals'>) {
  const { words, formats } = useSpeech();
  return (
    <Paper withBorder p="md">
      <Title order={2}>{words.overview.refusals}</Title>
      {refusals.length === 0 ? (
        <Text c="dimmed">{words.overview.noRefusals}</Text>
      ) : (
        <Table>
          <Table.Tbody>
            {refusals.map(({ code, count }) => (
              <Table.Tr key={code}>
                <Table.Td>
                  <Text size="sm" ff="monospace" dir="ltr">
                    {code}
                  </Text>
                </Table.Td>
                <Table.Td className="number">{formats.number(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
