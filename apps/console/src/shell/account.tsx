import { Badge, Button, Group, Menu, Text, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { refusalOf } from '../api/refusal';
import { sessionQuery, signOut, type Session } from '../api/session';
import { LANGUAGES, useSpeech, type Language } from '../words/words';

/** Who is signed in and as what, and what he sets for himself. */
export function Account({ session }: { readonly session: Session }) {
  const { words, formats, language, setLanguage } = useSpeech();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queryClient = useQueryClient();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
      // First, since whoever shows the session would not hear of one that was removed.
      queryClient.setQueryData(sessionQuery.queryKey, null);
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    } catch (error) {
      notifications.show({ color: 'red', message: refusalOf(error).message });
    }
  };
  const { name, roles } = session.operator;
  return (
    <Menu position="bottom-end" width={260} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" size="xs">
          <VisuallyHidden>{words.session.account}</VisuallyHidden>
          <Text span size="xs" fw={600} visibleFrom="sm">
            {name}
          </Text>
          <Badge size="sm" variant="light" ms="xs" tt="none">
            {roles.join(', ')}
          </Badge>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.session.expires(formats.moment(session.expiresAt))}</Menu.Label>
        <Menu.Label>{words.settings.language}</Menu.Label>
        <Group gap="xs" px="sm" pb="xs">
          {Object.entries(LANGUAGES).map(([code, title]) => (
            <Button
              key={code}
              size="compact-xs"
              lang={code}
              variant={code === language ? 'filled' : 'default'}
              aria-pressed={code === language}
              onClick={() => setLanguage(code as Language)}
            >
              {title}
            </Button>
          ))}
        </Group>
        <Menu.Label>{words.settings.theme}</Menu.Label>
        <Group gap="xs" px="sm" pb="xs">
          {(['light', 'dark', 'auto'] as const).map((scheme) => (
            <Button
              key={scheme}
              size="compact-xs"
              variant={scheme === colorScheme ? 'filled' : 'default'}
              aria-pressed={scheme === colorScheme}
              onClick={() => setColorScheme(scheme)}
            >
              {words.settings[scheme]}
            </Button>
          ))}
        </Group>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>{words.session.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
