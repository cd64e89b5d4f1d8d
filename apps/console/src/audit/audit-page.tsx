import { Button, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import type { Column } from '../parts/data-table';
import { ExportLink } from '../parts/export-link';
import { MomentFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { IdText } from '../parts/id-text';
import { ListPage } from '../parts/list-page';
import { PartnerFilter } from '../parts/partner-filter';
import { PartnerLink } from '../parts/partner-link';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';

type Entry = Schemas['AuditEntry'];

const FILTERS = ['partnerId', 'from', 'to'] as const;

/** Who did what as whom, newest first, each entry in the chain of its service. */
export function AuditPage() {
  const { words } = useSpeech();
  const { page, ...filters } = useSearch({ from: '/audit' });
  const labels = words.audit;
  const span = Object.entries({ from: filters.from, to: filters.to }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  return (
    <ListPage
      title={labels.title}
      name="audit"
      columns={useColumns()}
      query={useQuery(readQuery('/ops/v1/audit', { ...given(filters), page: page ?? 1, pageSize: 50 }))}
      keyOf={({ id }) => id}
      page={page}
      isFiltered={FILTERS.some((name) => filters[name])}
      filters={
        <Filters names={FILTERS}>
          <PartnerFilter value={filters.partnerId} />
          <MomentFilter name="from" label={words.orders.from} value={filters.from} />
          <MomentFilter name="to" label={words.orders.to} value={filters.to} />
        </Filters>
      }
      actions={
        <>
          <ExportLink href="/ops/v1/audit/csv" filters={filters} fileName="audit.csv" />
          <Button
            size="xs"
            variant="default"
            component="a"
            href={`/ops/v1/audit/export?${new URLSearchParams(span)}`}
            download="audit.ndjson"
          >
            {labels.export}
          </Button>
        </>
      }
    />
  );
}

/** Those of the filters that are set, as the API takes them. */
function given<F extends object>(filters: F): { [N in keyof F]?: NonNullable<F[N]> } {
  const set = Object.entries(filters).filter(([, value]) => value);
  return Object.fromEntries(set) as { [N in keyof F]?: NonNullable<F[N]> };
}

function useColumns(): readonly Column<Entry>[] {
  const { words, formats } = useSpeech();
  const labels = words.audit;
  return [
    { id: 'occurredAt', title: labels.when, cell: (row) => formats.moment(row.occurredAt) },
    {
      id: 'who',
      title: labels.who,
      cell: ({ operator, actingPartnerId }) =>
        operator ? <bdi>{operator}</bdi> : actingPartnerId ? <PartnerLink id={actingPartnerId} /> : NONE,
    },
    { id: 'action', title: labels.action, cell: (row) => <Code dir="ltr">{row.action}</Code> },
    { id: 'subject', title: labels.subject, cell: (row) => <bdi>{row.subject}</bdi> },
    {
      id: 'partner',
      title: labels.partner,
      cell: ({ partnerId }) => (partnerId ? <PartnerLink id={partnerId} /> : NONE),
    },
    {
      id: 'details',
      title: labels.details,
      cell: ({ details }) => <Code dir="ltr">{JSON.stringify(details)}</Code>,
    },
    { id: 'requestId', title: labels.request, isExtra: true, cell: (row) => <IdText id={row.requestId} /> },
    { id: 'service', title: labels.service, isExtra: true, cell: (row) => row.service },
    { id: 'sequence', title: labels.sequence, isExtra: true, isNumber: true, cell: (row) => row.sequence },
    {
      id: 'hash',
      title: labels.hash,
      isExtra: true,
      cell: ({ hash }) => (hash ? <IdText id={hash} shown={hash.slice(0, 12)} /> : NONE),
    },
  ];
}
