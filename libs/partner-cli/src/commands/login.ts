import { text as textFrom } from 'node:stream/consumers';
import { isCancel, password, text } from '@clack/prompts';
import { createResellerClient } from '@reseller/client';
import type { Command } from 'commander';
import { perform } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import { readProfiles, writeProfiles } from '../profiles.ts';

interface LoginOptions {
  baseUrl?: string;
  clientId?: string;
  secretFromStdin?: boolean;
}

/** What a person types; a UsageError when nobody is there to. */
async function askFor(option: string, prompt: () => Promise<string | symbol>): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`${option} is needed where nobody can type it`);
  const typed = await prompt();
  if (isCancel(typed) || !typed) throw new UsageError('nothing was kept');
  return String(typed);
}

/** `reseller login` and `reseller profiles`. */
export function addLogin(program: Command): void {
  program
    .command('login')
    .description('keep a credential as a profile, once it has been tried')
    .option('--base-url <url>', 'the API’s address, without /api/v1')
    .option('--client-id <id>', 'of the credential')
    .option('--secret-from-stdin', 'read the client secret from standard input, where nobody can type it')
    .action((options: LoginOptions, command: Command) =>
      perform(command, async (output, { profile: named = 'default' }) => {
        const baseUrl =
          options.baseUrl ?? (await askFor('--base-url', () => text({ message: 'The API’s address' })));
        const clientId =
          options.clientId ?? (await askFor('--client-id', () => text({ message: 'Client id' })));
        const clientSecret = options.secretFromStdin
          ? (await textFrom(process.stdin)).trim()
          : await askFor('--secret-from-stdin', () => password({ message: 'Client secret' }));
        const profile = { baseUrl, clientId, clientSecret };
        // Without stored tokens: what is tried is the secret.
        await createResellerClient(profile).listGeoScopes();
        const { profiles } = readProfiles();
        const file = writeProfiles({ current: named, profiles: { ...profiles, [named]: profile } });
        output.line({ profile: named, file }, `signed in as ${named}, kept in ${file}`);
      }),
    );
  const kept = program.command('profiles').description('the credentials that are kept');
  kept
    .command('list', { isDefault: true })
    .description('their names; * is the current one')
    .action((_: object, command: Command) =>
      perform(command, async (output) => {
        const { current, profiles } = readProfiles();
        const items = Object.entries(profiles).map(([name, { baseUrl, clientId }]) => ({
          name,
          baseUrl,
          clientId,
          isCurrent: name === current,
        }));
        type Item = (typeof items)[number];
        const columns = {
          '': ({ isCurrent }: Item) => (isCurrent ? '*' : ' '),
          NAME: ({ name }: Item) => name,
          ADDRESS: ({ baseUrl }: Item) => baseUrl,
          'CLIENT ID': ({ clientId }: Item) => clientId,
        };
        await output.list(items, columns, Infinity);
      }),
    );
  const change = (
    usage: string,
    about: string,
    next: (name: string, from: ReturnType<typeof readProfiles>) => ReturnType<typeof readProfiles>,
  ) =>
    kept
      .command(usage)
      .description(about)
      .action((name: string, _: object, command: Command) =>
        perform(command, async () => {
          const from = readProfiles();
          if (!from.profiles[name]) throw new UsageError(`there is no profile ${name}`);
          writeProfiles(next(name, from));
        }),
      );
  change('use <name>', 'make one the current one', (name, { profiles }) => ({ current: name, profiles }));
  change('remove <name>', 'forget one', (name, { current, profiles }) => ({
    ...(current && current !== name && { current }),
    profiles: Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name)),
  }));
}
