import { createResellerClient, type ResellerClient } from '@reseller/client';
import type { Command } from 'commander';
import { errorAsJson, exitCodeOf, explain } from './exit-codes.ts';
import { Output } from './output.ts';
import { findProfile } from './profiles.ts';
import { storedTokens } from './stored-tokens.ts';

/** What every command that calls the API has. */
export interface Context {
  /** Decimals are text, so that what is shown is what the API sent. */
  client: ResellerClient<'string'>;
  /** The same client with decimals as numbers, as webhooks have them. */
  inNumbers: () => ResellerClient;
  /** The same client, which says of each response how many bytes have come so far. */
  observed: (onBytes: (count: number) => void) => ResellerClient<'string'>;
  output: Output;
}

/** fetch, with the bytes of each response counted as they come. */
const countedFetch =
  (onBytes: (count: number) => void): typeof fetch =>
  async (...request) => {
    const response = await fetch(...request);
    let count = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        onBytes((count += chunk.byteLength));
        controller.enqueue(chunk);
      },
    });
    return response.body ? new Response(response.body.pipeThrough(counting), response) : response;
  };

/** The options that every command takes. */
interface CommonOptions {
  json?: boolean;
  profile?: string;
  onBehalfOf?: string;
}

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
    const options = { ...profile, ...(onBehalfOf && { onBehalfOf }), tokenStore: storedTokens(profile) };
    return work({
      output,
      client: createResellerClient({ ...options, decimals: 'string' }),
      inNumbers: () => createResellerClient(options),
      observed: (onBytes) =>
        createResellerClient({ ...options, decimals: 'string', fetch: countedFetch(onBytes) }),
    });
  });
