import { Alert, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { DataTable, type Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { SelectFilter, TextFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { ListPage } from '../parts/list-page';
import { Part } from '../parts/part';
import { StatusBadge } from '../parts/status-badge';
import { useSpeech } from '../words/words';
import { AcceptButton, FreeCheckoutButton, ReopenButton, STALE } from './difference-actions';

type Difference = Schemas['Difference'];
type Run = Schemas['ReconciliationRun'];

const FILTERS = ['service', 'check', 'state'] as const;
const SERVICES: readonly Difference['service'][] = ['finance', 'orders-saga', 'scent-commerce'];

/** What does not agree within and between the services, and comparing it all now. */
export function ReconciliationPage() {
  const { words } = useSpeech();
  const { page, ...given } = useSearch({ from: '/reconciliation' });
  const [run, setRun] = useState<Run>();
  const labels = words.reconciliation;
  const filters = given as Partial<Pick<Difference, (typeof FILTERS)[number]>>;
  return (
    <Stack>
      <ListPage
        title={labels.title}
        name="reconciliation"
        columns={useColumns()}
        query={useQuery(readQuery('/ops/v1/reconciliation', { ...filters, page: page ?? 1, pageSize: 50 }))}
        keyOf={({ service, id }) => `${service} ${id}`}
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
              name="state"
              label={labels.state}
              value={given.state}
              options={Object.entries(labels.states)}
            />
            <TextFilter name="check" label={labels.check} value={given.check} />
          </Filters>
        }
        actions={
          <DecisionButton
            label={labels.run}
            effect={labels.runEffect}
            role="support"
            run={() => compareAll(setRun)}
            done={({ openDifferences }) => labels.ran(String(openDifferences))}
            stale={STALE}
          />
        }
      />
      {run && <Result run={run} />}
    </Stack>
  );
}

/** A long history takes several runs, each going on where the one before ended; each is shown with what was compared by then. */
async function compareAll(show: (run: Run) => void): Promise<Run> {
  const compared = new Map<string, number>();
  for (let query = {}; ;) {
    const run = await payloadOf(api.POST('/ops/v1/reconciliation/run', { params: { query } }));
    query = { since: run.since };
    const checks = run.checks.map((check) => {
      const name = `${check.service} ${check.check}`;
      compared.set(name, check.compared + (compared.get(name) ?? 0));
      return { ...check, compared: compared.get(name) ?? 0 };
    });
    show({ ...run, checks });
    if (run.isComplete || checks.some(({ failure }) => failure !== null)) return run;
  }
}

function Result({ run }: { readonly run: Run }) {
  const { words, formats } = useSpeech();
  const labels = words.reconciliation;
  return (
    <Part title={labels.run}>
      {!run.isComplete && <Alert color="orange">{labels.incomplete}</Alert>}
      <DataTable
        label={labels.run}
        columns={[
          { id: 'service', title: labels.service, cell: ({ service }) => service },
          { id: 'check', title: labels.check, cell: ({ check }) => check },
          {
            id: 'compared',
            title: labels.compared,
            isNumber: true,
            cell: ({ compared }) => formats.number(compared),
          },
          {
            id: 'open',
            title: labels.differences,
            isNumber: true,
            cell: ({ openDifferences }) => formats.number(openDifferences),
          },
          {
            id: 'completed',
            title: labels.completed,
            cell: ({ lastCompletedAt }) => formats.moment(lastCompletedAt),
          },
          { id: 'failure', title: labels.failure, cell: ({ failure }) => failure },
        ]}
        rows={run.checks}
        keyOf={({ service, check }) => `${service} ${check}`}
        empty={words.list.none}
      />
    </Part>
  );
}

function Actions({ of: row }: { readonly of: Difference }) {
  if (row.state === 'Accepted') return <ReopenButton of={row} />;
  if (row.state !== 'Open') return null;
  return (
    <Group gap={4} wrap="nowrap">
      <FreeCheckoutButton of={row} />
      <AcceptButton of={row} />
    </Group>
  );
}

function useColumns(): readonly Column<Difference>[] {
  const { words, formats } = useSpeech();
  const labels = words.reconciliation;
  return [
    { id: 'firstSeenAt', title: labels.first, cell: (row) => formats.moment(row.firstSeenAt) },
    { id: 'service', title: labels.service, cell: (row) => row.service },
    { id: 'check', title: labels.check, cell: (row) => row.check },
    { id: 'kind', title: labels.kind, cell: (row) => row.kind },
    { id: 'subject', title: labels.subject, cell: (row) => <bdi>{row.subject}</bdi> },
    { id: 'expected', title: labels.expected, cell: (row) => <bdi>{row.expected}</bdi> },
    { id: 'found', title: labels.found, cell: (row) => <bdi>{row.found}</bdi> },
    {
      id: 'actions',
      title: '',
      cell: (row) => <Actions of={row} />,
    },
    {
      id: 'lastSeenAt',
      title: labels.last,
      isExtra: true,
      cell: (row) => formats.moment(row.lastSeenAt),
    },
    { id: 'state', title: labels.state, cell: (row) => <StatusBadge status={row.state} /> },
    {
      id: 'resolvedAt',
      title: labels.resolved,
      isExtra: true,
      cell: (row) => formats.moment(row.resolvedAt),
    },
    {
      id: 'acceptedAt',
      title: labels.acceptedAt,
      isExtra: true,
      cell: (row) => formats.moment(row.acceptance?.acceptedAt ?? null),
    },
    {
      id: 'acceptedBy',
      title: labels.acceptedBy,
      cell: ({ acceptance }) =>
        acceptance && (
          <>
            <bdi>{acceptance.acceptedBy}</bdi>
            <Text size="xs" c="dimmed" dir="auto">
              {acceptance.notes}
            </Text>
          </>
        ),
    },
  ];
}
