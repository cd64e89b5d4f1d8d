import {
  createTheme,
  DirectionProvider,
  MantineProvider,
  MantineThemeProvider,
  type CSSVariablesResolver,
} from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { refusalOf } from './api/refusal';
import { sessionQuery } from './api/session';
import { router } from './router';
import { Speaking, useSpeech } from './words/words';

const theme = createTheme({
  primaryColor: 'blue',
  // White on it can be read (WCAG 1.4.3).
  primaryShade: 8,
  autoContrast: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  headings: { sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } } },
});

/** The library's own shades of these have too little contrast for small text (WCAG 1.4.3). */
const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-blue-8)',
  },
  dark: { '--mantine-color-dimmed': 'var(--mantine-color-dark-1)' },
});

/** Twice more where it may help, and never where the request itself was refused. */
const retry = (failures: number, error: unknown): boolean =>
  failures < 2 && refusalOf(error).advice === 'later';

const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry, staleTime: 2_000, throwOnError: false, networkMode: 'always' },
    // Without a network a decision fails and says so; it is not made by itself, whenever the network is back.
    mutations: { retry: false, networkMode: 'always' },
  },
});
// Whoever was signed out elsewhere is shown so at once.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  const isSession = query.queryKey[0] === sessionQuery.queryKey[0];
  if (type !== 'updated' || isSession || query.state.status !== 'error') return;
  if (refusalOf(query.state.error).advice === 'signIn') void queryClient.invalidateQueries(sessionQuery);
});

/** Messages in a corner, whose buttons have a name for who cannot see their cross. */
function NamedNotifications() {
  const { words } = useSpeech();
  const closeButtonProps = { 'aria-label': words.bulk.close };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps: { closeButtonProps } } } }}>
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}

/** The whole console. */
export function App({ nonce }: { readonly nonce: string }) {
  return (
    <DirectionProvider>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <Speaking>
            <NamedNotifications />
            <RouterProvider router={router} />
          </Speaking>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
