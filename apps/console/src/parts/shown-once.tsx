import { Alert, Button, Stack, Text } from '@mantine/core';
import { Dialog } from './dialog';
import { useSpeech } from '../words/words';
import { IdText } from './id-text';

/** A secret that the API says once; it stays until the operator says that it is stored. */
export function ShownOnce({
  title,
  texts,
  close,
}: {
  readonly title: string;
  /** Each under its name. */
  readonly texts: readonly (readonly [name: string, text: string])[];
  readonly close: () => void;
}) {
  const { words } = useSpeech();
  return (
    <Dialog opened onClose={() => undefined} withCloseButton={false} closeOnEscape={false} title={title}>
      <Stack>
        <Alert color="orange">{words.credentials.once}</Alert>
        {texts.map(([name, text]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <IdText id={text} />
          </div>
        ))}
        <Button onClick={close}>{words.credentials.stored}</Button>
      </Stack>
    </Dialog>
  );
}
