import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../generated/operators-api';
import { Refusal, refusalIn, UNREACHABLE } from './refusal';
import { csrfToken } from './session';

/** What the API calls its things. */
export type Schemas = components['schemas'];

/** A session's cookie goes with each request by itself; a change also shows that a page of ours makes it (spec §18.1). */
const session: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET') request.headers.set('X-CSRF-Token', csrfToken());
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await refusalIn(response);
  },
  onError() {
    return new Refusal(UNREACHABLE, '');
  },
};

/** The operators' API, typed by its own OpenAPI document; whatever is not a success is thrown as a Refusal. */
export const api = createClient<paths>({ baseUrl: globalThis.location?.origin ?? '' });
api.use(session);

/** The payload of a call that succeeded. */
export async function payloadOf<P>(call: Promise<{ data?: { payload: P } | undefined }>): Promise<P> {
  const { data } = await call;
  if (!data) throw new Refusal('CONSOLE', 'The response has no payload.');
  return data.payload;
}
