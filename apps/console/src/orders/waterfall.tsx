import { Badge, Group, Text, Tooltip } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../api/client';
import { colorOf } from '../parts/status-badge';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';
import { durationOf, scaleOf, spansOf, type Bar, type Scale, type Span } from './spans';

const percent = (share: number): string => `${share * 100}%`;

/** An order's steps, money and deliveries over time; the table beside it says the same in words. */
export function Waterfall({ entries }: { readonly entries: Schemas['OrderTimeline']['entries'] }) {
  const { words, formats } = useSpeech();
  const spans = useMemo(() => spansOf(entries, Date.now()), [entries]);
  const scale = useMemo(() => scaleOf(spans), [spans]);
  const moments = spans.flatMap(({ bars }) => bars.flatMap(({ from, to }) => [from, to]));
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={words.order.picture}>
      <div className="waterfall">
        <span />
        <Group justify="space-between" wrap="nowrap" className="waterfall-axis">
          <Text size="xs" c="dimmed">
            {formats.instant(Math.min(...moments))}
          </Text>
          <Text size="xs" c="dimmed">
            {formats.instant(Math.max(...moments))}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" className="number" ps="xs">
          {words.order.duration}
        </Text>
        {spans.map((span, index) => (
          <Row key={`${span.name}-${index}`} span={span} scale={scale} />
        ))}
      </div>
    </div>
  );
}

function Row({ span, scale }: { readonly span: Span; readonly scale: Scale }) {
  const { words, formats } = useSpeech();
  const took = durationOf(span);
  return (
    <>
      <Group gap={6} wrap="nowrap" pe="xs">
        <Badge size="xs" variant="outline" color="gray" tt="none" className="status">
          {words.order.kinds[span.kind]}
        </Badge>
        <Text size="sm" dir="ltr" truncate title={span.name}>
          {span.name}
        </Text>
      </Group>
      <div className="waterfall-track">
        {scale.gaps.map(({ from, to }) => (
          <span
            key={from}
            className="waterfall-gap"
            title={words.order.gap(formats.duration(to - from))}
            style={{ left: percent(scale.place(from)), width: percent(scale.place(to) - scale.place(from)) }}
          />
        ))}
        {span.bars.map((bar, index) => (
          <DrawnBar key={index} bar={bar} scale={scale} tries={`${words.order.attempt} ${index + 1}`} />
        ))}
      </div>
      <Text size="xs" className="number" ps="xs">
        {took === undefined ? NONE : formats.duration(took)}
        {span.bars.length > 1 && ` · ${words.order.attempts(span.bars.length)}`}
      </Text>
    </>
  );
}

function DrawnBar({
  bar,
  scale,
  tries,
}: {
  readonly bar: Bar;
  readonly scale: Scale;
  readonly tries: string;
}) {
  const { words, formats } = useSpeech();
  const named: Readonly<Record<string, string>> = words.status;
  const outcome = bar.isOpen ? words.order.open : (named[bar.outcome] ?? bar.outcome);
  const length = bar.isPoint ? '' : ` · ${formats.duration(bar.to - bar.from)}`;
  return (
    <Tooltip label={`${tries}: ${outcome} · ${formats.instant(bar.from)}${length}`}>
      <span
        className="waterfall-bar"
        role="img"
        aria-label={`${outcome}${length}`}
        data-open={bar.isOpen || undefined}
        data-point={bar.isPoint || undefined}
        style={{
          background: `var(--mantine-color-${colorOf(bar.outcome)}-6)`,
          left: `min(${percent(scale.place(bar.from))}, calc(100% - 6px))`,
          ...(!bar.isPoint && { width: percent(scale.place(bar.to) - scale.place(bar.from)) }),
        }}
      />
    </Tooltip>
  );
}
