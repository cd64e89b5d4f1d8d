import { Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { BulkButton } from '../parts/bulk-button';
import type { Column } from '../parts/data-table';
import { SelectFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { IdText } from '../parts/id-text';
import { ListPage } from '../parts/list-page';
import { useSelection } from '../parts/selection';
import { StatusBadge } from '../parts/status-badge';
import { useSpeech } from '../words/words';
import { DeadLetterActions, Explanation, redrive, STALE } from './dead-letter';

type DeadLetter = Schemas['DeadLetter'];
type Filters_ = {
  service?: DeadLetter['service'];
  reason?: DeadLetter['reason'];
  state?: DeadLetter['state'];
};

const FILTERS = ['service', 'reason', 'state'] as const;
const SERVICES: readonly DeadLetter['service'][] = ['finance', 'scent-commerce', 'notifier'];
/** As many are redriven by one press of a button. */
const MOST = 1_000;
const PAGE_SIZE = 100;
const keyOf = ({ service, id }: DeadLetter): string => `${service} ${id}`;

/** Events that a service gave up, why, and what can be done about each or about all. */
export function DeadLettersPage() {
  const { words, formats } = useSpeech();
  const { page, event, ...given } = useSearch({ from: '/dead-letters' });
  const filters = given as Filters_;
  const query = useQuery(readQuery('/ops/v1/dead-letters', { ...filters, page: page ?? 1, pageSize: 50 }));
  const selection = useSelection(query.data?.items, keyOf);
  const labels = words.deadLetters;
  const redriveAll = { effect: labels.redriveEffect, role: 'support', nameOf: keyOf, run: redrive } as const;
  return (
    <>
      <ListPage
        title={labels.title}
        name="dead-letters"
        columns={[selection.column, ...useColumns()]}
        query={query}
        keyOf={keyOf}
        page={page}
        isFiltered={FILTERS.some((name) => given[name])}
        filters={
          <Filters names={FILTERS}>
            <SelectFilter
              name="service"
              label={labels.service}
              value={given.service}
              options={SERVICES.map((name) => [name, name])}
            />
            <SelectFilter
              name="reason"
              label={labels.reason}
              value={given.reason}
              options={Object.entries(labels.reasons)}
            />
            <SelectFilter
              name="state"
              label={labels.state}
              value={given.state}
              options={Object.entries(labels.states)}
            />
          </Filters>
        }
        actions={
          <>
            <BulkButton
              {...redriveAll}
              label={labels.redrive}
              rows={selection.chosen.filter(({ state }) => state === 'Waiting')}
              stale={STALE}
            />
            <BulkButton
              {...redriveAll}
              label={`${labels.redrive}: ${words.bulk.all(formats.number(MOST))}`}
              rows={() => waiting(filters)}
              stale={STALE}
            />
          </>
        }
      />
      {event && <Explanation of={event} />}
    </>
  );
}

/** Those that wait and fit, page by page. */
async function waiting(filters: Filters_): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (let page = 1, pages = 1; page <= pages && found.length < MOST; page += 1) {
    const query = { ...filters, state: 'Waiting' as const, page, pageSize: PAGE_SIZE };
    const { items, pagination } = await payloadOf(api.GET('/ops/v1/dead-letters', { params: { query } }));
    found.push(...items);
    pages = pagination.totalPages;
  }
  return found;
}

function useColumns(): readonly Column<DeadLetter>[] {
  const { words, formats } = useSpeech();
  const labels = words.deadLetters;
  return [
    { id: 'lastFailedAt', title: labels.last, cell: (row) => formats.moment(row.lastFailedAt) },
    { id: 'service', title: labels.service, cell: (row) => row.service },
    { id: 'type', title: labels.type, cell: (row) => <Code dir="ltr">{row.type.split('.').at(-1)}</Code> },
    { id: 'reason', title: labels.reason, cell: (row) => labels.reasons[row.reason] },
    { id: 'what', title: labels.what, cell: (row) => row.explanation.what },
    { id: 'state', title: labels.state, cell: (row) => <StatusBadge status={row.state} /> },
    { id: 'attempts', title: labels.tries, isNumber: true, isExtra: true, cell: (row) => row.attempts },
    {
      id: 'firstFailedAt',
      title: labels.first,
      isExtra: true,
      cell: (row) => formats.moment(row.firstFailedAt),
    },
    {
      id: 'aggregateId',
      title: labels.aggregate,
      isExtra: true,
      cell: (row) => <IdText id={row.aggregateId} />,
    },
    { id: 'decidedBy', title: labels.decided, cell: (row) => <bdi>{row.decidedBy}</bdi> },
    {
      id: 'actions',
      title: '',
      cell: (row) => (
        <Group gap={4} wrap="nowrap">
          <DeadLetterActions of={row} />
        </Group>
      ),
    },
  ];
}
