import { UsageError } from './exit-codes.ts';
import { readJson, userFile, writeJson } from './files.ts';

/** Where to call, and as whom. */
export interface Profile {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

/** What the file of profiles holds. */
interface Profiles {
  current?: string;
  profiles: Record<string, Profile>;
}

const file = (): string => userFile('config', 'profiles.json');

/** The profiles that are kept; none when there is no file. */
export function readProfiles(): Profiles {
  try {
    return readJson<Profiles>(file()) ?? { profiles: {} };
  } catch (error) {
    throw new UsageError(`${file()} cannot be read (${(error as Error).message}); correct or remove it`);
  }
}

/** Keeps the profiles where only their owner can read them; returns where that is. */
export function writeProfiles(profiles: Profiles): string {
  writeJson(file(), profiles);
  return file();
}

/** The profile to use: that of RESELLER_BASE_URL, RESELLER_CLIENT_ID and RESELLER_CLIENT_SECRET, the named one, or the current one. */
export function findProfile(named: string | undefined): Profile {
  const {
    RESELLER_BASE_URL: baseUrl,
    RESELLER_CLIENT_ID: clientId,
    RESELLER_CLIENT_SECRET: clientSecret,
  } = process.env;
  if (!named && baseUrl && clientId && clientSecret) return { baseUrl, clientId, clientSecret };
  const { current, profiles } = readProfiles();
  const name = named ?? process.env['RESELLER_PROFILE'] ?? current;
  if (!name) throw new UsageError('nobody is signed in: run `reseller login`');
  const profile = profiles[name];
  if (!profile) throw new UsageError(`there is no profile ${name}: run \`reseller login --profile ${name}\``);
  return profile;
}
