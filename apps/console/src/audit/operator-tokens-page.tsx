import { Checkbox, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import type { Column } from '../parts/data-table';
import { DecisionButton } from '../parts/decision-button';
import { ListPage } from '../parts/list-page';
import { ShownOnce } from '../parts/shown-once';
import { useSpeech } from '../words/words';

type Token = Schemas['OperatorToken'];
type Role = Token['roles'][number];

const ROLES: readonly Role[] = ['viewer', 'support', 'finance', 'catalog', 'partners', 'admin'];
const STALE = [['/ops/v1/operator-tokens']];

/** The tokens of operators' programs, for admins. */
export function OperatorTokensPage() {
  const { words } = useSpeech();
  const { page } = useSearch({ from: '/operator-tokens' });
  const [made, setMade] = useState<Schemas['NewOperatorToken']>();
  return (
    <>
      <ListPage
        title={words.tokens.title}
        name="operator-tokens"
        columns={useColumns()}
        query={useQuery(readQuery('/ops/v1/operator-tokens', { page: page ?? 1, pageSize: 50 }))}
        keyOf={({ id }) => id}
        page={page}
        actions={<MakeToken made={setMade} />}
      />
      {made && (
        <ShownOnce
          title={words.tokens.made}
          texts={[[words.tokens.token, made.token]]}
          close={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function MakeToken({ made }: { readonly made: (token: Schemas['NewOperatorToken']) => void }) {
  const { words } = useSpeech();
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<string[]>(['viewer']);
  const [expiresAt, setExpiresAt] = useState('');
  return (
    <DecisionButton
      label={words.tokens.make}
      effect={words.tokens.effect}
      role="admin"
      fields={
        <>
          <TextInput
            label={words.tokens.name}
            required
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Checkbox.Group label={words.tokens.roles} value={roles} onChange={setRoles} required>
            <Group mt="xs">
              {ROLES.map((role) => (
                <Checkbox key={role} value={role} label={role} size="xs" />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput
            type="datetime-local"
            label={words.credentials.expires}
            description={words.credentials.expiresHint}
            value={expiresAt}
            onChange={({ currentTarget }) => setExpiresAt(currentTarget.value)}
          />
        </>
      }
      run={async () => {
        const body = {
          ...{ name, roles: roles as Role[] },
          ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
        };
        made(await payloadOf(api.POST('/ops/v1/operator-tokens', { body })));
      }}
      done={() => words.tokens.made}
      stale={STALE}
    />
  );
}

function useColumns(): readonly Column<Token>[] {
  const { words, formats } = useSpeech();
  const labels = words.credentials;
  return [
    { id: 'name', title: words.tokens.name, cell: (row) => <bdi>{row.name}</bdi> },
    { id: 'roles', title: words.tokens.roles, cell: (row) => row.roles.join(', ') },
    { id: 'createdAt', title: labels.created, cell: (row) => formats.moment(row.createdAt) },
    {
      id: 'expiresAt',
      title: labels.expires,
      cell: ({ expiresAt }) => (expiresAt ? formats.moment(expiresAt) : labels.never),
    },
    { id: 'lastUsedAt', title: labels.lastUsed, cell: (row) => formats.moment(row.lastUsedAt) },
    { id: 'revokedAt', title: labels.revoked, cell: (row) => formats.moment(row.revokedAt) },
    {
      id: 'actions',
      title: '',
      cell: ({ id, name, revokedAt }) =>
        revokedAt === null && (
          <DecisionButton
            label={words.tokens.revoke}
            effect={words.tokens.revokeEffect}
            role="admin"
            isDangerous
            run={() => payloadOf(api.DELETE('/ops/v1/operator-tokens/{id}', { params: { path: { id } } }))}
            done={() => words.tokens.revoked(name)}
            stale={STALE}
          />
        ),
    },
  ];
}
