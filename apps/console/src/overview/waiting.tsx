import { Anchor, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { LinkTo } from '../parts/link-to';
import type { PageAddress } from '../shell/pages';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';

/** What only a person can carry on, each with its list; nothing of it is of the chosen time, it is of now. */
export function Waiting({ waiting }: { readonly waiting: Schemas['Overview']['waiting'] | undefined }) {
  const { words } = useSpeech();
  const hints = words.overview.waitingHint;
  // Of all services, which the overview's own call does not read.
  const differences = useQuery(readQuery('/ops/v1/reconciliation', { open: 'true', pageSize: 1 }));
  return (
    <Stack gap="xs">
      <Title order={2}>{words.overview.waiting}</Title>
      <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }}>
        <Work
          title={words.overview.waitingOrders}
          hint={hints.orders}
          count={waiting?.orders}
          to="/orders"
          filters={{ parked: 'true' }}
        />
        <Work
          title={words.overview.waitingReturns}
          hint={hints.returns}
          count={waiting?.returnRequests}
          to="/returns"
          filters={{ status: 'Pending' }}
        />
        <Work
          title={words.overview.waitingApprovals}
          hint={hints.approvals}
          count={waiting?.approvals}
          to="/approvals"
          filters={{ status: 'Pending' }}
        />
        <Work
          title={words.overview.waitingDeadLetters}
          hint={hints.deadLetters}
          count={waiting?.deadLetters}
          to="/dead-letters"
          filters={{ state: 'Waiting' }}
        />
        <Work
          title={words.overview.waitingDifferences}
          hint={hints.differences}
          count={differences.data?.pagination.totalCount}
          to="/reconciliation"
          filters={{ state: 'Open' }}
        />
      </SimpleGrid>
    </Stack>
  );
}

interface WorkProps {
  readonly title: string;
  readonly hint: string;
  /** Null while its service is away. */
  readonly count: number | null | undefined;
  /** Its list, and by which filters. */
  readonly to: PageAddress;
  readonly filters: Readonly<Record<string, string>>;
}

function Work({ title, hint, count, to, filters }: WorkProps) {
  const { formats } = useSpeech();
  const isWaiting = (count ?? 0) > 0;
  return (
    <Paper withBorder p="md" className={isWaiting ? 'waiting' : ''}>
      {count === undefined ? (
        <Skeleton height={30} width={40} />
      ) : (
        <Anchor
          fz={28}
          fw={700}
          c={isWaiting ? 'var(--waiting)' : 'dimmed'}
          renderRoot={(props) => (
            <LinkTo {...props} to={to} filters={filters} aria-label={`${title}: ${count ?? NONE}`} />
          )}
        >
          {count === null ? NONE : formats.number(count)}
        </Anchor>
      )}
      <Text fw={600}>{title}</Text>
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    </Paper>
  );
}
