import { createHash } from 'node:crypto';
import type { StoredToken, TokenStore } from '@reseller/client';
import { readJson, userFile, writeJson } from './files.ts';
import type { Profile } from './profiles.ts';

type Stored = Record<string, StoredToken>;

/** The tokens that are good still; a file that cannot be read is as good as none, since each can be fetched anew. */
function goodTokens(file: string): Stored {
  try {
    const stored = Object.entries(readJson<Stored>(file) ?? {});
    return Object.fromEntries(stored.filter(([, { expiresAt }]) => Date.now() < expiresAt));
  } catch {
    return {};
  }
}

/** A profile's tokens, shared by one command and the next: fetching one each time would soon be refused for its rate. */
export function storedTokens({ baseUrl, clientId, clientSecret }: Profile): TokenStore {
  const file = userFile('cache', 'tokens.json');
  const keyOf = (onBehalfOf = '') =>
    createHash('sha256')
      .update(JSON.stringify([baseUrl, clientId, clientSecret, onBehalfOf]))
      .digest('hex');
  return {
    load: (onBehalfOf) => goodTokens(file)[keyOf(onBehalfOf)],
    save: (token, onBehalfOf) => {
      try {
        writeJson(file, { ...goodTokens(file), [keyOf(onBehalfOf)]: token });
      } catch {
        // A disk that is full or read-only costs the next command a token, and this one nothing.
      }
    },
  };
}
