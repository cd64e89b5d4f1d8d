import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PartProps {
  readonly title: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One part of a page under its title. */
export function Part({ title, actions, children }: PartProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{title}</Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

/** What is known of a thing, each fact under its name. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [title: string, value: ReactNode])[];
}) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} component="dl" className="facts">
      {facts.map(([title, value]) => (
        <div key={title}>
          <Text component="dt" size="xs" c="dimmed">
            {title}
          </Text>
          <Text component="dd" size="sm">
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
