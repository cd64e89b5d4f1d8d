import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useSpeech } from '../words/words';

const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }));

/** Opens the search, as Ctrl-K and ⌘-K do; its script is fetched when it is first opened. */
export function SearchButton() {
  const { words } = useSpeech();
  const [openings, setOpenings] = useState(0);
  const open = (): void => setOpenings((count) => count + 1);
  useHotkeys([['mod+K', open]], []);
  return (
    <div role="search" aria-label={words.search.name}>
      <Button variant="default" size="xs" onClick={open} aria-keyshortcuts="Control+K">
        {words.search.name}
        <Kbd ms="xs" size="xs" visibleFrom="sm" aria-hidden>
          <bdo dir="ltr">Ctrl K</bdo>
        </Kbd>
      </Button>
      {openings > 0 && (
        <Suspense>
          <Palette openings={openings} />
        </Suspense>
      )}
    </div>
  );
}
