// The operators' API as the pages use it. Who is signed in says a cookie that no script can read; a change also carries the
// session's csrfToken.
let session;

export const operator = () => session?.operator;

/** A refusal of the API, in words for the operator. */
export class Refused extends Error {
  constructor(state, details) {
    const faults = (details?.errors ?? []).map(({ path, message }) => `${path} ${message}`);
    super([details?.message ?? state, ...faults].join('\n'));
    this.state = state;
  }
}

/** Finds out who is signed in; nobody is no fault. */
export async function readSession() {
  session = await request('GET', '/auth/session').catch((error) => {
    if (error.state === 'UNAUTHORIZED_INVALID_TOKEN') return undefined;
    throw error;
  });
}

export const signInUrl = () =>
  `/auth/sign-in?${new URLSearchParams({ returnTo: location.pathname + location.hash })}`;

export async function signOut() {
  await request('POST', '/auth/sign-out');
  session = undefined;
}

export const call = (method, path, body) => request(method, `/ops/v1${path}`, body);

async function request(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      ...(method === 'GET' ? {} : { 'x-csrf-token': session?.csrfToken ?? '' }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new Refused('UNREACHABLE', { message: 'Backoffice cannot be reached; try again in a moment.' });
  });
  const { state, payload, details } = await response.json();
  if (response.ok) return payload;
  if (response.status === 401) session = undefined;
  throw new Refused(state, details);
}

/** A query string of the values that are set. */
export function query(values) {
  const set = Object.entries(values).filter(
    ([, value]) => value !== '' && value !== undefined && value !== null,
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
