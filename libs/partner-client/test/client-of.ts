import { afterEach } from '@jest/globals';
import { createResellerClient, type AttemptInfo, type ClientOptions } from '../src/index.ts';
import { refuses, responds, scriptedApi, type Scripted } from './scripted-api';

let close: (() => Promise<unknown>) | undefined;
afterEach(() => close?.());

/** A client of a script, which ends with its test, and what it sent. */
export async function clientOf(script: Scripted[], options: Partial<ClientOptions> = {}) {
  const api = await scriptedApi(...script);
  close = api.close;
  const attempts: AttemptInfo[] = [];
  const client = createResellerClient({
    baseUrl: api.baseUrl,
    clientId: 'id',
    clientSecret: 'secret',
    hooks: { onAttempt: (attempt) => attempts.push(attempt) },
    ...options,
  });
  return { client, api, attempts };
}

/** An order, or a balance, as far as these tests read them. */
export const completed = responds(200, 'SUCCESS', { status: 'Completed' });

/** A refusal after which a client tries again at once. */
export const unavailable = refuses(503, 'SERVICE_UNAVAILABLE', {}, { 'Retry-After': '0' });
