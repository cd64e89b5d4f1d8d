import { Anchor, Paper, Text } from '@mantine/core';
import { LinkTo } from '../parts/link-to';
import type { PageAddress } from '../shell/pages';

interface Props {
  readonly title: string;
  readonly value: string;
  readonly hint?: string;
  /** The list behind it, and by which filters. */
  readonly to?: PageAddress;
  readonly filters?: Readonly<Record<string, string>>;
}

/** One number under its name; with the list behind it where there is one. */
export function Figure({ title, value, hint, to, filters = {} }: Props) {
  const link = to && ((props: object) => <LinkTo {...props} to={to} filters={filters} />);
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      {link ? (
        <Anchor fz="xl" fw={700} renderRoot={link}>
          {value}
        </Anchor>
      ) : (
        <Text fz="xl" fw={700}>
          {value}
        </Text>
      )}
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Paper>
  );
}
