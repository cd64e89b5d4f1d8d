import type { Exchange } from '@reseller/http-edge';

/** An operator's session; sent with what this origin's own pages request only. */
export const SESSION_COOKIE = '__Host-operator-session';
/** A sign-in that is under way; it comes back with the navigation from the identity provider. */
export const SIGN_IN_COOKIE = '__Host-operator-sign-in';
/** There is one while what the operator changed may be missing on a replica. */
export const CHANGE_COOKIE = '__Host-operator-change';

const SAME_SITE = { [SESSION_COOKIE]: 'Strict', [SIGN_IN_COOKIE]: 'Lax', [CHANGE_COOKIE]: 'Strict' } as const;
type CookieName = keyof typeof SAME_SITE;

/** The value of a cookie; undefined where there is none, or more than one. */
export function cookieOf({ request }: Exchange, name: CookieName): string | undefined {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}

/** Has the browser keep a cookie, for as many seconds if given, else until it is closed; none of its pages can read it. */
export const setCookie = ({ response }: Exchange, name: CookieName, value: string, maxAge?: number): void =>
  void response.appendHeader(
    'Set-Cookie',
    `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${SAME_SITE[name]}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}`,
  );

/** Has the browser forget a cookie. */
export const clearCookie = (exchange: Exchange, name: CookieName): void => setCookie(exchange, name, '', 0);
