// The operators' API as the pages use it. The token lives in this tab only and is gone when the tab is closed.
const TOKEN = 'operator-token';

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;
export const setToken = (token) => sessionStorage.setItem(TOKEN, token);
export const forgetToken = () => sessionStorage.removeItem(TOKEN);

/** A refusal of the API, in words for the operator. */
export class Refused extends Error {
  constructor(state, details) {
    const faults = (details?.errors ?? []).map(({ path, message }) => `${path} ${message}`);
    super([details?.message ?? state, ...faults].join('\n'));
    this.state = state;
  }
}

export async function call(method, path, body) {
  const response = await fetch(`/ops/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sessionStorage.getItem(TOKEN) ?? ''}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new Refused('UNREACHABLE', { message: 'Backoffice cannot be reached; try again in a moment.' });
  });
  const { state, payload, details } = await response.json();
  if (response.ok) return payload;
  if (response.status === 401) forgetToken();
  throw new Refused(state, details);
}

/** A query string of the values that are set. */
export function query(values) {
  const set = Object.entries(values).filter(
    ([, value]) => value !== '' && value !== undefined && value !== null,
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
