import { Code } from '@mantine/core';
import type { Schemas } from '../api/client';
import { DataTable, type Column } from '../parts/data-table';
import { StatusBadge } from '../parts/status-badge';
import { useSpeech } from '../words/words';

type Entry = Schemas['OrderTimeline']['entries'][number];

/** Every entry as it was recorded, in order of time. */
export function TimelineTable({ entries }: { readonly entries: readonly Entry[] }) {
  const { words, formats } = useSpeech();
  const columns: readonly Column<Entry>[] = [
    {
      id: 'occurredAt',
      title: words.order.when,
      cell: ({ occurredAt }) => <time dateTime={occurredAt}>{formats.instant(Date.parse(occurredAt))}</time>,
    },
    { id: 'type', title: words.order.kind, cell: ({ type }) => words.order.kinds[type] },
    { id: 'step', title: words.order.what, cell: ({ step }) => <Code dir="ltr">{step}</Code> },
    { id: 'outcome', title: words.order.outcome, cell: ({ outcome }) => <StatusBadge status={outcome} /> },
    {
      id: 'details',
      title: words.order.details,
      cell: ({ details }) => details && <Code dir="ltr">{JSON.stringify(details)}</Code>,
    },
  ];
  const keyed = entries.map((entry, index) => ({ ...entry, key: String(index) }));
  return (
    <DataTable
      label={words.order.table}
      columns={columns}
      rows={keyed}
      keyOf={(entry) => (entry as (typeof keyed)[number]).key}
      empty={words.list.none}
    />
  );
}
