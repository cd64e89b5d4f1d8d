import { AppShell, Burger, Center, Group, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useLiveUpdates } from '../api/live';
import { sessionQuery } from '../api/session';
import { Failure } from '../parts/failure';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';
import { Account } from './account';
import { EnvironmentSwitch } from './environment';
import { Navigation } from './navigation';
import { SearchButton } from './search-button';
import { SignIn } from './sign-in';

/** Keeps what is shown up to date; there for whoever is signed in. */
function LiveUpdates() {
  useLiveUpdates();
  return null;
}

/** What is around every page; whoever is not signed in sees the way in and nothing else. */
export function Shell() {
  const { words } = useSpeech();
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery);
  const environment = useEnvironment();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  if (isPending)
    return (
      <Center mih="100dvh">
        <Loader aria-label={words.list.loading} />
      </Center>
    );
  if (error && !session)
    return (
      <Center component="main" mih="100dvh" p="md">
        <Failure error={error} retry={() => void refetch()} />
      </Center>
    );
  if (!session) return <SignIn />;
  return (
    <AppShell
      data-world={environment}
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <LiveUpdates />
      <a href="#content" className="skip-link">
        {words.skip}
      </a>
      <AppShell.Header>
        <div className="world-strip" />
        <Group h={52} px="sm" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={words.navigation}
            />
            <Text fw={700} visibleFrom="sm" me="md">
              {words.console}
            </Text>
            <EnvironmentSwitch />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <Account session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={words.navigation} style={{ overflowY: 'auto' }}>
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className="page">
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
