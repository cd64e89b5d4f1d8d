import { NavLink, Stack, Text } from '@mantine/core';
import { useMatchRoute } from '@tanstack/react-router';
import { LinkTo } from '../parts/link-to';
import { useSpeech } from '../words/words';
import { PAGES } from './pages';

/** The pages, those of the old console last. */
export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { words } = useSpeech();
  const matchRoute = useMatchRoute();
  return (
    <Stack gap={2}>
      {PAGES.map((page) =>
        'to' in page ? (
          <NavLink
            key={page.name}
            renderRoot={(props) => <LinkTo {...props} to={page.to} />}
            label={words.pages[page.name]}
            active={Boolean(matchRoute({ to: page.to, fuzzy: true }))}
            onClick={onNavigate}
          />
        ) : (
          <NavLink
            key={page.name}
            href={page.old}
            label={words.pages[page.name]}
            rightSection={
              <Text span c="dimmed" size="sm" aria-hidden className="mirrored">
                ↗
              </Text>
            }
            title={words.inOldConsole}
          />
        ),
      )}
    </Stack>
  );
}
