import { Button } from '@mantine/core';
import { useSpeech } from '../words/words';

interface Props {
  /** Where the API makes it. */
  readonly href: `/ops/v1/${string}`;
  /** By which the list is narrowed; a page is left out. */
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly fileName: string;
}

/** Saves every row that fits the filters as CSV, which the API makes while it is sent. */
export function ExportLink({ href, filters, fileName }: Props) {
  const { words } = useSpeech();
  const set = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return (
    <Button
      variant="default"
      size="xs"
      component="a"
      href={`${href}?${new URLSearchParams(set)}`}
      download={fileName}
    >
      {words.list.export}
    </Button>
  );
}
