import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import type { Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { ExportLink } from '../parts/export-link';
import { SelectFilter } from '../parts/filter-fields';
import { Filters } from '../parts/filters';
import { ListPage } from '../parts/list-page';
import { OrderLink, PartnerLink } from '../parts/partner-link';
import { StatusBadge } from '../parts/status-badge';
import { useOperator } from '../parts/use-session';
import { useSpeech } from '../words/words';

type Approval = Schemas['Approval'];

const STALE = [['/ops/v1/approvals'], ['order'], ['overview']];

/** Movements of money that need, or needed, a second operator. */
export function ApprovalsPage() {
  const { words } = useSpeech();
  const { page, status } = useSearch({ from: '/approvals' });
  const wanted = {
    ...{ page: page ?? 1, pageSize: 50 },
    ...(status && { status: status as Approval['status'] }),
  };
  return (
    <ListPage
      title={words.approvals.title}
      name="approvals"
      columns={useColumns()}
      query={useQuery(readQuery('/ops/v1/approvals', wanted))}
      keyOf={({ id }) => id}
      page={page}
      isFiltered={Boolean(status)}
      filters={
        <Filters names={['status']}>
          <SelectFilter
            name="status"
            label={words.orders.status}
            value={status}
            options={Object.entries(words.approvals.statuses)}
          />
        </Filters>
      }
      actions={<ExportLink href="/ops/v1/approvals/export" filters={{ status }} fileName="approvals.csv" />}
    />
  );
}

function useColumns(): readonly Column<Approval>[] {
  const { words, formats } = useSpeech();
  const labels = words.approvals;
  return [
    { id: 'requestedAt', title: labels.at, cell: (row) => formats.moment(row.requestedAt) },
    { id: 'status', title: words.orders.status, cell: (row) => <StatusBadge status={row.status} /> },
    { id: 'action', title: labels.action, cell: (row) => labels.actions[row.action] },
    { id: 'amount', title: labels.amount, isNumber: true, cell: (row) => formats.money(row.amount) },
    {
      id: 'partner',
      title: labels.partner,
      cell: (row) => <PartnerLink id={row.partnerId} name={row.partnerName} />,
    },
    {
      id: 'subject',
      title: labels.subject,
      cell: ({ action, subject }) =>
        action === 'order.reverse' ? <OrderLink id={subject} /> : <bdi>{subject}</bdi>,
    },
    { id: 'notes', title: labels.notes, cell: (row) => <bdi>{row.notes}</bdi> },
    { id: 'requestedBy', title: labels.by, cell: (row) => <bdi>{row.requestedBy}</bdi> },
    { id: 'expiresAt', title: labels.expires, cell: (row) => formats.moment(row.expiresAt) },
    { id: 'decidedBy', title: labels.decided, cell: (row) => <bdi>{row.decidedBy}</bdi> },
    { id: 'actions', title: '', cell: (row) => row.status === 'Pending' && <Decisions of={row} /> },
  ];
}

function Decisions({ of: approval }: { readonly of: Approval }) {
  const { words, formats } = useSpeech();
  const { name } = useOperator();
  const labels = words.approvals;
  const { id, action, amount, partnerName, requestedBy } = approval;
  const params = { path: { id } };
  const shared = {
    role: action === 'order.reverse' ? 'support' : 'finance',
    refusedBecause: requestedBy === name ? labels.own : undefined,
    stale: STALE,
  } as const;
  return (
    <Group gap={4} wrap="nowrap">
      <DecisionButton
        {...shared}
        label={labels.approve}
        effect={labels.approveEffect(labels.actions[action], formats.money(amount), partnerName)}
        run={() => payloadOf(api.POST('/ops/v1/approvals/{id}/approve', { params }))}
        done={() => labels.approved}
      />
      <DecisionButton
        {...shared}
        label={labels.reject}
        effect={labels.rejectEffect}
        isDangerous
        run={() => payloadOf(api.POST('/ops/v1/approvals/{id}/reject', { params }))}
        done={() => labels.rejected}
      />
    </Group>
  );
}
