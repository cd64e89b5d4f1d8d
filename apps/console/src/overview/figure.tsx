import { Anchor, Paper, Text } from '@mantine/core';
import { LinkTo } from '../parts/link-to';
import { inOldConsole } from '../shell/pages';

interface Props {
  readonly title: string;
  readonly value: string;
  readonly hint?: string;
  /** A page of this console. */
  readonly to?: '/orders';
  readonly filters?: Readonly<Record<string, string>>;
  /** A page of the old one. */
  readonly old?: string;
}

/** One number under its name; with the list behind it where there is one. */
export function Figure({ title, value, hint, to, filters = {}, old }: Props) {
  const link = to && ((props: object) => <LinkTo {...props} to={to} filters={filters} />);
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      {link || old ? (
        <Anchor fz="xl" fw={700} {...(link ? { renderRoot: link } : { href: inOldConsole(old ?? '') })}>
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
