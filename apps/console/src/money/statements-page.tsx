import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import type { Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { Filters } from '../parts/filters';
import { ListPage } from '../parts/list-page';
import { PartnerFilter } from '../parts/partner-filter';
import { PartnerLink } from '../parts/partner-link';
import { StatusBadge } from '../parts/status-badge';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';
import { StatementPdf } from './statement-pdf';

type Statement = Schemas['Statement'];

/** A partner's billing statements in one environment, each with its PDF. */
export function StatementsPage() {
  const { words } = useSpeech();
  const { partnerId } = useSearch({ from: '/statements' });
  if (partnerId) return <OfPartner partnerId={partnerId} />;
  return (
    <Stack>
      <Title order={1}>{words.statements.title}</Title>
      <Text>{words.statements.choose}</Text>
      <ByPartner partnerId={undefined} />
    </Stack>
  );
}

const ByPartner = ({ partnerId }: { readonly partnerId: string | undefined }) => (
  <Filters names={['partnerId']}>
    <PartnerFilter value={partnerId} />
  </Filters>
);

function OfPartner({ partnerId }: { readonly partnerId: string }) {
  const { words } = useSpeech();
  const environment = useEnvironment();
  const { page } = useSearch({ from: '/statements' });
  const [shown, setShown] = useState<Statement>();
  const columns = useColumns(shown, setShown);
  return (
    <Stack>
      <ListPage
        title={words.statements.title}
        name="statements"
        columns={columns}
        query={useQuery(
          readQuery('/ops/v1/statements', {
            partnerId,
            environment,
            page: page ?? 1,
            pageSize: 50,
          }),
        )}
        keyOf={({ id }) => id}
        page={page}
        filters={<ByPartner partnerId={partnerId} />}
        actions={
          <>
            <PartnerLink id={partnerId} />
            <MakeStatement partnerId={partnerId} />
          </>
        }
      />
      {shown && (
        <StatementPdf key={shown.id} title={shown.statementNumber} address={pdfOf(shown, environment)} />
      )}
    </Stack>
  );
}

const pdfOf = ({ id, partnerId }: Statement, environment: string): string =>
  `/ops/v1/statements/${id}/pdf?${new URLSearchParams({ partnerId, environment })}`;

function useColumns(
  shown: Statement | undefined,
  show: (statement: Statement | undefined) => void,
): readonly Column<Statement>[] {
  const { words, formats } = useSpeech();
  const environment = useEnvironment();
  const labels = words.statements;
  return [
    { id: 'statementNumber', title: labels.number, cell: (row) => <bdi>{row.statementNumber}</bdi> },
    {
      id: 'period',
      title: labels.period,
      cell: (row) => `${formats.moment(row.periodFrom)} – ${formats.moment(row.periodTo)}`,
    },
    {
      id: 'totalDebits',
      title: labels.debits,
      isNumber: true,
      cell: (row) => formats.money(row.totalDebits),
    },
    {
      id: 'totalCredits',
      title: labels.credits,
      isNumber: true,
      cell: (row) => formats.money(row.totalCredits),
    },
    { id: 'netPosition', title: labels.net, isNumber: true, cell: (row) => formats.money(row.netPosition) },
    {
      id: 'email',
      title: labels.email,
      cell: (row) => (
        <Group gap={4}>
          <StatusBadge status={row.emailStatus} />
          <Text size="xs" c="dimmed">
            {row.emailStatusReason}
          </Text>
        </Group>
      ),
    },
    {
      id: 'pdf',
      title: '',
      cell: (row) => (
        <Group gap="xs" wrap="nowrap">
          <Button size="xs" variant="light" onClick={() => show(shown?.id === row.id ? undefined : row)}>
            {shown?.id === row.id ? labels.hide : labels.show}
          </Button>
          <Anchor size="sm" href={pdfOf(row, environment)} download={`${row.statementNumber}.pdf`}>
            {labels.download}
          </Anchor>
        </Group>
      ),
    },
  ];
}

function MakeStatement({ partnerId }: { readonly partnerId: string }) {
  const { words } = useSpeech();
  const environment = useEnvironment();
  const [period, setPeriod] = useState({ from: '', to: '' });
  const labels = words.statements;
  const field = (name: 'from' | 'to') => (
    <TextInput
      type="datetime-local"
      label={labels[name]}
      required
      value={period[name]}
      onChange={({ currentTarget }) => setPeriod({ ...period, [name]: currentTarget.value })}
    />
  );
  return (
    <DecisionButton
      label={labels.make}
      effect={labels.effect}
      role="finance"
      fields={
        <>
          {field('from')}
          {field('to')}
        </>
      }
      run={() => {
        const [periodFrom, periodTo] = [period.from, period.to].map((at) => new Date(at).toISOString());
        const body = { partnerId, environment, periodFrom: periodFrom ?? '', periodTo: periodTo ?? '' };
        return payloadOf(api.POST('/ops/v1/statements', { body }));
      }}
      done={() => labels.made}
      stale={[['/ops/v1/statements']]}
    />
  );
}
