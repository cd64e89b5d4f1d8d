import { Anchor, Stack, Title } from '@mantine/core';
import { LinkTo } from '../parts/link-to';
import { useSpeech } from '../words/words';

/** What an address shows that no page is at. */
export function NotFound() {
  const { words } = useSpeech();
  return (
    <Stack align="start">
      <Title order={1}>{words.notFound.title}</Title>
      <Anchor renderRoot={(props) => <LinkTo {...props} to="/overview" />}>{words.notFound.home}</Anchor>
    </Stack>
  );
}
