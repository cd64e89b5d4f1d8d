import { Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client';
import { LinkTo } from '../parts/link-to';
import { colorOf } from '../parts/status-badge';
import { PRODUCT_COLORS } from '../words/products';
import { useSpeech } from '../words/words';
import { bucketsOf, isByDay, sumOf, totalsOf, type Bucket } from './figures';

/** What the bars are split by. */
export type Split = 'status' | 'product';

const fillOf = (split: Split, key: string): string =>
  `var(--mantine-color-${split === 'status' ? colorOf(key) : (PRODUCT_COLORS[key] ?? 'gray')}-6)`;

/** Orders and money over the chosen time; a bar leads to its orders. */
export function Charts({
  overview,
  split,
}: {
  readonly overview: Schemas['Overview'];
  readonly split: Split;
}) {
  const { words, formats } = useSpeech();
  const isDays = isByDay(overview.from, overview.to);
  const keyOf = (hour: Schemas['HourOfOrders']): string =>
    split === 'status' ? hour.status : hour.productType;
  const buckets = bucketsOf(overview, keyOf);
  const keys = totalsOf(overview.orders, keyOf).map(({ key }) => key);
  const chart = { buckets, keys, split, isDays };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <StackedBars
        {...chart}
        title={isDays ? words.overview.ordersByDay : words.overview.ordersByHour}
        valuesOf={({ counts }) => counts}
        write={formats.number}
      />
      <StackedBars
        {...chart}
        title={isDays ? words.overview.moneyByDay : words.overview.moneyByHour}
        valuesOf={({ amounts }) => amounts}
        write={(amount) => formats.money(amount)}
      />
    </SimpleGrid>
  );
}

interface BarsProps {
  readonly title: string;
  readonly buckets: readonly Bucket[];
  readonly keys: readonly string[];
  readonly split: Split;
  readonly isDays: boolean;
  readonly valuesOf: (bucket: Bucket) => Readonly<Record<string, number>>;
  readonly write: (value: number) => string;
}

function StackedBars({ title, buckets, keys, split, isDays, valuesOf, write }: BarsProps) {
  const { words, formats } = useSpeech();
  const names: Readonly<Record<string, string>> = { ...words.status, ...words.product };
  const highest = Math.max(0, ...buckets.map((bucket) => sumOf(Object.values(valuesOf(bucket)))));
  const timeOf = (at: string): string => (isDays ? formats.day(at) : formats.hour(at));
  const [first, last] = [buckets[0], buckets.at(-1)];
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        <Text size="xs" c="dimmed">
          {words.overview.highest(write(highest))}
        </Text>
      </Group>
      <div className="bars">
        {buckets.map((bucket) => {
          const values = valuesOf(bucket);
          const sum = sumOf(Object.values(values));
          const parts = keys.filter((key) => (values[key] ?? 0) > 0);
          const said = parts.map((key) => `${names[key] ?? key}: ${write(values[key] ?? 0)}`);
          return (
            <LinkTo
              key={bucket.at}
              to="/orders"
              filters={{ fromDate: bucket.at, toDate: bucket.until }}
              className="bar"
              tabIndex={sum > 0 ? 0 : -1}
              title={[timeOf(bucket.at), ...said].join('\n')}
              aria-label={`${timeOf(bucket.at)}: ${write(sum)}`}
            >
              {parts.map((key) => (
                <span
                  key={key}
                  style={{
                    height: `${((values[key] ?? 0) / highest) * 100}%`,
                    background: fillOf(split, key),
                  }}
                />
              ))}
            </LinkTo>
          );
        })}
      </div>
      <Group justify="space-between">
        {first && last && (
          <>
            <Text size="xs" c="dimmed">
              {timeOf(first.at)}
            </Text>
            <Text size="xs" c="dimmed">
              {timeOf(last.at)}
            </Text>
          </>
        )}
      </Group>
      <Group gap="sm" mt="xs">
        {keys.map((key) => (
          <Group key={key} gap={4} wrap="nowrap">
            <span className="swatch" style={{ background: fillOf(split, key) }} />
            <Text size="xs">{names[key] ?? key}</Text>
          </Group>
        ))}
      </Group>
    </Paper>
  );
}
