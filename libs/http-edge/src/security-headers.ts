import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** Headers as they are written: name, value, name, value. An object of them would cost each response another walk through it. */
export type HeaderList = readonly string[];

/** Headers by name as a list. */
export const headerList = (headers: Headers): HeaderList => Object.entries(headers).flat();

/** What a page may load and run: a content security policy, with nothing but what it names. */
export type Policy = Readonly<Record<string, string[]>>;

/**
 * Helmet's headers under a policy of one's own, worked out once at start instead of for each response; HTTPS for good is
 * requested unless it is switched off.
 */
export function securityHeaders(directives: Policy, { strictTransportSecurity = true } = {}): Headers {
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    removeHeader: () => undefined,
  };
  const setAll = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity,
    xPoweredBy: false,
  });
  setAll({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}

/** For JSON: nothing in a response may run, be framed or be kept. */
export const API_SECURITY_HEADERS: Headers = {
  ...securityHeaders({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] }),
  'Cache-Control': 'no-store',
};

/** The same with the type of a JSON response. */
export const JSON_HEADERS: HeaderList = headerList({
  ...API_SECURITY_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
});
