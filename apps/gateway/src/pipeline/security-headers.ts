import helmet, { type HelmetOptions } from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** The headers helmet would set, worked out once at start instead of for each response. */
function headersOf(options: HelmetOptions): Headers {
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}

const shared: HelmetOptions = { crossOriginResourcePolicy: { policy: 'same-origin' }, xPoweredBy: false };

/** For JSON: nothing in an answer may run, be framed or be kept. */
export const API_SECURITY_HEADERS: Headers = {
  ...headersOf({
    ...shared,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
  }),
  'Cache-Control': 'no-store',
};

/** For the reference page: its own scripts and styles, and requests to this gateway only. */
export const DOCS_SECURITY_HEADERS: Headers = headersOf({
  ...shared,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // The renderer sets style attributes.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});
