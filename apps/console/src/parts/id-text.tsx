import { CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useSpeech } from '../words/words';

/** An id as it is written, left to right in every language; a click copies it. */
export function IdText({ id, shown = id }: { readonly id: string; readonly shown?: string }) {
  const { words } = useSpeech();
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? words.copied : `${words.copy} ${id}`}>
          <UnstyledButton onClick={copy} aria-label={`${words.copy} ${id}`} className="id-text">
            <Text span size="sm" ff="monospace" dir="ltr">
              {shown}
            </Text>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}
