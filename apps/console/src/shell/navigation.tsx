import { NavLink, Stack } from '@mantine/core';
import { useMatchRoute } from '@tanstack/react-router';
import { LinkTo } from '../parts/link-to';
import { useSpeech } from '../words/words';
import { PAGES } from './pages';

/** The pages. */
export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { words } = useSpeech();
  const matchRoute = useMatchRoute();
  return (
    <Stack gap={2}>
      {PAGES.map(({ name, to }) => (
        <NavLink
          key={name}
          renderRoot={(props) => <LinkTo {...props} to={to} />}
          label={words.pages[name]}
          active={Boolean(matchRoute({ to, fuzzy: true }))}
          onClick={onNavigate}
        />
      ))}
    </Stack>
  );
}
