import { createHmac, randomBytes } from 'node:crypto';

/** Where an operator arrives who did not say where to. */
const HOME = '/console/';

/** One sign-in under way. All of it follows from a secret that the browser alone keeps, so that nothing is stored at its start. */
export interface SignInAttempt {
  /** The value of the browser's cookie. */
  readonly cookie: string;
  /** By which identity knows it once it was used. */
  readonly id: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** A path of the backoffice. */
  readonly returnTo: string;
}

/** A new attempt that leads to `returnTo`, or home where that is no path of this origin. */
export const beginAttempt = (returnTo: string | null, origin: string): SignInAttempt =>
  attemptOf(randomBytes(32).toString('base64url'), pathOf(returnTo, origin));

/** The attempt of a browser's cookie; undefined when it is none of ours. */
export function readAttempt(cookie: string | undefined, origin: string): SignInAttempt | undefined {
  const [secret = '', encoded = '', ...rest] = (cookie ?? '').split('.');
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret) || rest.length > 0) return undefined;
  return attemptOf(secret, pathOf(Buffer.from(encoded, 'base64url').toString(), origin));
}

function attemptOf(secret: string, returnTo: string): SignInAttempt {
  const derive = (use: string): string => createHmac('sha256', secret).update(use).digest('base64url');
  return {
    cookie: `${secret}.${Buffer.from(returnTo).toString('base64url')}`,
    id: derive('id'),
    state: derive('state'),
    nonce: derive('nonce'),
    codeVerifier: derive('code-verifier'),
    returnTo,
  };
}

/** Browsers take a backslash for a slash and drop control characters, so neither may be in a path. */
function pathOf(text: string | null, origin: string): string {
  if (!text || text.length > 2_000 || !/^\/(?![/\\])[^\\\p{Cc}\s]*$/u.test(text)) return HOME;
  const url = URL.parse(text, origin);
  return url?.origin === origin ? `${url.pathname}${url.search}${url.hash}` : HOME;
}
