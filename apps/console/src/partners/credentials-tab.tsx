import { Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import type { Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { IdText } from '../parts/id-text';
import { ListPage } from '../parts/list-page';
import { ShownOnce } from '../parts/shown-once';
import { useEnvironment } from '../parts/use-environment';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';

type Credential = Schemas['Credential'];
type NewCredential = Schemas['NewCredential'];

/** What credentials of a partner make stale. */
const STALE = [['/ops/v1/partners/{id}/credentials']];

/** What a partner's programs get tokens with, of both environments. */
export function CredentialsTab({ partner: { id } }: { readonly partner: Schemas['Partner'] }) {
  const { words } = useSpeech();
  const { page } = useSearch({ from: '/partners/$partnerId' });
  const [made, setMade] = useState<NewCredential>();
  const query = { page: page ?? 1, pageSize: 50 };
  return (
    <>
      <ListPage
        title={words.partners.tabs.credentials}
        level={2}
        name="credentials"
        columns={useColumns()}
        query={useQuery(readQuery('/ops/v1/partners/{id}/credentials', query, { id }))}
        keyOf={({ clientId }) => clientId}
        page={page}
        actions={<MakeCredential partnerId={id} made={setMade} />}
      />
      {made && <CredentialShown made={made} close={() => setMade(undefined)} />}
    </>
  );
}

/** A new credential with its secret. */
export function CredentialShown({
  made,
  close,
}: {
  readonly made: NewCredential;
  readonly close: () => void;
}) {
  const { words } = useSpeech();
  return (
    <ShownOnce
      title={words.credentials.made}
      texts={[
        [words.credentials.client, made.clientId],
        [words.credentials.secret, made.clientSecret],
      ]}
      close={close}
    />
  );
}

/** Makes one for the environment that is looked at. */
export function MakeCredential({
  partnerId,
  made,
}: {
  readonly partnerId: string;
  readonly made: (credential: NewCredential) => void;
}) {
  const { words } = useSpeech();
  const environment = useEnvironment();
  const [expiresAt, setExpiresAt] = useState('');
  const [networks, setNetworks] = useState('');
  const labels = words.credentials;
  return (
    <DecisionButton
      label={labels.make}
      effect={`${words.environment[`${environment}Means`]}. ${labels.makeEffect}`}
      role="partners"
      fields={
        <>
          <TextInput
            type="datetime-local"
            label={labels.expires}
            description={labels.expiresHint}
            value={expiresAt}
            onChange={({ currentTarget }) => setExpiresAt(currentTarget.value)}
          />
          <Textarea
            label={labels.networks}
            description={labels.networksHint}
            dir="ltr"
            autosize
            value={networks}
            onChange={({ currentTarget }) => setNetworks(currentTarget.value)}
          />
        </>
      }
      run={async () => {
        const allowedCidrs = networks.split(/\s+/).filter(Boolean);
        const body = {
          environment,
          ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
          ...(allowedCidrs.length > 0 && { allowedCidrs }),
        };
        const params = { path: { id: partnerId } };
        made(await payloadOf(api.POST('/ops/v1/partners/{id}/credentials', { params, body })));
      }}
      done={() => labels.made}
      stale={STALE}
    />
  );
}

function useColumns(): readonly Column<Credential>[] {
  const { words, formats } = useSpeech();
  const labels = words.credentials;
  return [
    { id: 'clientId', title: labels.client, cell: ({ clientId }) => <IdText id={clientId} /> },
    { id: 'environment', title: words.orders.environment, cell: (row) => words.environment[row.environment] },
    { id: 'createdAt', title: labels.created, cell: (row) => formats.moment(row.createdAt) },
    {
      id: 'expiresAt',
      title: labels.expires,
      cell: ({ expiresAt }) => (expiresAt ? formats.moment(expiresAt) : labels.never),
    },
    {
      id: 'allowedCidrs',
      title: labels.networks,
      cell: ({ allowedCidrs }) => <bdi>{allowedCidrs?.join(', ') ?? labels.anyNetwork}</bdi>,
    },
    { id: 'lastUsedAt', title: labels.lastUsed, cell: (row) => formats.moment(row.lastUsedAt) },
    { id: 'lastUsedFrom', title: labels.from, cell: ({ lastUsedFrom }) => <bdi>{lastUsedFrom ?? NONE}</bdi> },
    { id: 'revokedAt', title: labels.revoked, cell: (row) => formats.moment(row.revokedAt) },
    {
      id: 'actions',
      title: '',
      cell: ({ clientId, revokedAt }) =>
        revokedAt === null && (
          <DecisionButton
            label={labels.revoke}
            effect={labels.revokeEffect}
            role="partners"
            isDangerous
            run={() =>
              payloadOf(api.DELETE('/ops/v1/credentials/{clientId}', { params: { path: { clientId } } }))
            }
            done={() => labels.revokedNow(clientId)}
            stale={STALE}
          />
        ),
    },
  ];
}
