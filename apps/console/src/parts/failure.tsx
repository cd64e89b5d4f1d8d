import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { refusalOf, UNREACHABLE } from '../api/refusal';
import { signInUrl } from '../api/session';
import { useSpeech } from '../words/words';

/** What went wrong, what to do, and what to quote when somebody is to look into it. */
export function Failure({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) {
  const { words } = useSpeech();
  const { code, message, advice, faults, requestId } = refusalOf(error);
  return (
    <Alert color="red" variant="light" title={words.failure.title} role="alert">
      <Stack gap="xs">
        <Text size="sm">{code === UNREACHABLE ? words.failure.unreachable : message}</Text>
        {faults.length > 0 && (
          <List size="sm">
            {faults.map((fault) => (
              <List.Item key={fault.path}>
                <Code>{fault.path}</Code> {fault.message}
              </List.Item>
            ))}
          </List>
        )}
        <Text size="sm" fw={600}>
          {words.failure.advice[advice]}
        </Text>
        <Group gap="sm">
          {advice === 'signIn' && (
            <Button size="xs" component="a" href={signInUrl()}>
              {words.session.signIn}
            </Button>
          )}
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              {words.failure.retry}
            </Button>
          )}
          <Text size="xs" c="dimmed" dir="ltr">
            {code}
            {requestId && ` · ${words.failure.request} ${requestId}`}
          </Text>
        </Group>
      </Stack>
    </Alert>
  );
}
