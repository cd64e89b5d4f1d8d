import { createResellerClient, type ResellerClient } from '@reseller/client';
import type { Command } from 'commander';
import { errorAsJson, exitCodeOf, explain } from './exit-codes.ts';
import { Output } from './output.ts';
import { findProfile, type Profile } from './profiles.ts';
import { storedTokens } from './stored-tokens.ts';

/** What every command has. */
export interface Context {
  client: ResellerClient<'string'>;
  profile: Profile;
  output: Output;
}

/** The options that every command takes. */
export interface CommonOptions {
  json?: boolean;
  profile?: string;
  onBehalfOf?: string;
}

/** A client of a profile; decimals are text, so that what is shown is what the API sent. */
const clientOf = (profile: Profile, onBehalfOf: string | undefined): ResellerClient<'string'> =>
  createResellerClient({
    ...profile,
    ...(onBehalfOf && { onBehalfOf }),
    decimals: 'string',
    tokenStore: storedTokens(profile),
  });

/** Runs one command's work; an error becomes text for a person, or JSON, and the exit code of its class. */
export async function perform(
  command: Command,
  work: (output: Output, options: CommonOptions) => Promise<void>,
): Promise<void> {
  const options = command.optsWithGlobals<CommonOptions>();
  const output = new Output(options.json ?? false);
  try {
    await work(output, options);
  } catch (error) {
    process.stderr.write(
      options.json ? `${JSON.stringify(errorAsJson(error))}\n` : `reseller: ${explain(error)}\n`,
    );
    process.exitCode = exitCodeOf(error);
  }
}

/** Like perform, for a command that calls the API. */
export const performAs = (command: Command, work: (context: Context) => Promise<void>): Promise<void> =>
  perform(command, (output, { profile: named, onBehalfOf }) => {
    const profile = findProfile(named);
    return work({ profile, output, client: clientOf(profile, onBehalfOf) });
  });
