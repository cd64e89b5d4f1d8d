import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { DataTable } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { Failure } from '../parts/failure';
import { IdText } from '../parts/id-text';
import { Part } from '../parts/part';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';

/** What a partner has shown in the sandbox before it goes live. */
export function CertificationTab({ partner: { id } }: { readonly partner: Schemas['Partner'] }) {
  const { words, formats } = useSpeech();
  const { data, error } = useQuery(readQuery('/ops/v1/partners/{id}/certification', undefined, { id }));
  const labels = words.certification;
  if (error) return <Failure error={error} />;
  if (!data) return null;
  return (
    <Part
      title={words.partners.tabs.certification}
      actions={data.status === 'InProgress' && <Waive partnerId={id} />}
    >
      <Stack gap={4}>
        <Text fw={600}>{labels[data.status]}</Text>
        {data.certifiedAt && <Text size="sm">{labels.since(formats.moment(data.certifiedAt))}</Text>}
        {data.waivedBy && <Text size="sm">{labels.waived(data.waivedBy, data.waiveReason ?? '')}</Text>}
      </Stack>
      <DataTable
        label={words.partners.tabs.certification}
        columns={[
          { id: 'title', title: labels.step, cell: ({ title }) => title },
          {
            id: 'status',
            title: words.orders.status,
            cell: ({ shownAt }) => (shownAt ? `${labels.shown}, ${formats.moment(shownAt)}` : labels.missing),
          },
          {
            id: 'evidence',
            title: labels.evidence,
            cell: ({ evidence }) => (evidence ? <IdText id={evidence.id} /> : NONE),
          },
          { id: 'howTo', title: labels.how, cell: ({ howTo }) => <bdi>{howTo}</bdi> },
        ]}
        rows={data.steps}
        keyOf={({ name }) => name}
        empty={words.list.none}
      />
    </Part>
  );
}

function Waive({ partnerId }: { readonly partnerId: string }) {
  const { words } = useSpeech();
  const params = { path: { id: partnerId } };
  return (
    <DecisionButton
      label={words.certification.waive}
      effect={words.certification.waiveEffect}
      role="partners"
      isDangerous
      notes={words.decide.notes}
      run={(reason) =>
        payloadOf(api.POST('/ops/v1/partners/{id}/certification/waive', { params, body: { reason } }))
      }
      done={() => words.certification.done}
      stale={[['/ops/v1/partners/{id}/certification']]}
    />
  );
}
