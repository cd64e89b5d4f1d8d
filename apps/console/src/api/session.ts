import { queryOptions } from '@tanstack/react-query';
import { Refusal, refusalIn, UNREACHABLE } from './refusal';

/** What an operator may do (spec §18.2). */
export type Role = 'viewer' | 'support' | 'finance' | 'catalog' | 'partners' | 'admin';

/** Who is signed in; GET /auth/session is no part of the operators' API. */
export interface Session {
  readonly operator: { readonly name: string; readonly roles: readonly Role[] };
  readonly expiresAt: string;
  readonly csrfToken: string;
}

let current: Session | null = null;

/** What a change has to carry; empty when nobody is signed in. */
export const csrfToken = (): string => current?.csrfToken ?? '';

/** Whether one of these roles may do what needs `role`. */
export const mayDo = (roles: readonly Role[], role: Role): boolean =>
  role === 'viewer' ? roles.length > 0 : roles.includes(role) || roles.includes('admin');

/** Where signing in begins; it ends at the page that is shown now. */
export const signInUrl = (): string =>
  `/auth/sign-in?${new URLSearchParams({ returnTo: location.pathname + location.search })}`;

const read = (path: string, init?: RequestInit): Promise<Response> =>
  fetch(path, init).catch(() => {
    throw new Refusal(UNREACHABLE, '');
  });

/** The session of this browser; null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  async queryFn(): Promise<Session | null> {
    const response = await read('/auth/session');
    if (response.ok) current = ((await response.json()) as { payload: Session }).payload;
    else if (response.status === 401) current = null;
    else throw await refusalIn(response);
    return current;
  },
  // It ends by itself, or elsewhere.
  refetchInterval: 60_000,
  staleTime: 30_000,
});

/** Ends the session at the server. */
export async function signOut(): Promise<void> {
  const response = await read('/auth/sign-out', { method: 'POST', headers: { 'X-CSRF-Token': csrfToken() } });
  if (!response.ok && response.status !== 401) throw await refusalIn(response);
  current = null;
}
