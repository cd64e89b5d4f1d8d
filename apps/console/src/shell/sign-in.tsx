import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { signInUrl } from '../api/session';
import { useSpeech } from '../words/words';

/** What whoever is not signed in sees, wherever he came in; signing in leads back there. */
export function SignIn() {
  const { words } = useSpeech();
  // Going back changes the page that signing in leads to.
  useLocation();
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" maw={420}>
        <Stack>
          <Title order={1}>{words.session.title}</Title>
          <Text>{words.session.explain}</Text>
          <Button component="a" href={signInUrl()}>
            {words.session.signIn}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
