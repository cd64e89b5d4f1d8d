import { AppError } from '@reseller/errors';
import {
  filePage,
  headerList,
  redirectPage,
  securityHeaders,
  type ApplicationPage,
  type Exchange,
  type Headers,
  type Page,
} from '@reseller/http-edge';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** apps/console is built for this path. */
const UNDER = '/console/';

/** What the build of apps/console writes where a nonce belongs. */
const NONCE = 'nonce-of-this-response';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Only what this server itself serves may run or be loaded. Style elements that scripts of ours make carry the page's nonce. */
const headersOfPage = (nonce: string): Headers => ({
  ...securityHeaders(
    {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", `'nonce-${nonce}'`],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      // Statements as PDFs, which the page has read itself.
      frameSrc: ['blob:'],
      frameAncestors: ["'none'"],
    },
    // On the machine itself, as by `kubectl port-forward`, operators come over plain HTTP; elsewhere whoever ends TLS says it.
    { strictTransportSecurity: false },
  ),
  'Cache-Control': 'no-store',
  'Content-Type': 'text/html; charset=utf-8',
});

/** The console as the edge serves it. */
export interface Console {
  readonly pages: [path: string, page: Page][];
  readonly applications: ApplicationPage[];
}

/** The page of apps/console, whatever path of its own it shows, and its files. */
export function webConsole(folder: string = builtConsole()): Console {
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  return {
    pages: [
      ['/', redirectPage(UNDER)],
      ['/console', redirectPage(UNDER)],
      ...filesOf(path.join(folder, 'assets')),
    ],
    applications: [{ under: UNDER, page: (exchange) => sendPage(exchange, html) }],
  };
}

function sendPage(exchange: Exchange, html: string): void {
  // A file of an earlier version is gone; the page in its place would be taken for a script.
  if (exchange.request.url.startsWith(`${UNDER}assets/`)) throw new AppError('NOT_FOUND_ROUTE');
  const nonce = randomBytes(16).toString('base64');
  exchange.send(200, html.replaceAll(NONCE, nonce), headerList(headersOfPage(nonce)));
}

/** Each file under a name that has its contents' hash in it, so it may be kept for good. */
function filesOf(folder: string): [path: string, page: Page][] {
  const headers = {
    ...securityHeaders({ defaultSrc: ["'none'"] }, { strictTransportSecurity: false }),
    'Cache-Control': 'public, max-age=31536000, immutable',
  };
  const coded = (file: string, coding: 'br' | 'gzip', extension: string) =>
    existsSync(file + extension) ? [{ coding, bytes: readFileSync(file + extension) }] : [];
  return readdirSync(folder)
    .filter((name) => path.extname(name) in TYPES)
    .map((name) => {
      const file = path.join(folder, name);
      const codings = [...coded(file, 'br', '.br'), ...coded(file, 'gzip', '.gz')];
      const type = TYPES[path.extname(name)] ?? '';
      return [`${UNDER}assets/${name}`, filePage(readFileSync(file), codings, type, headers)];
    });
}

/** Beside the bundle where this is built, in the workspace's builds where it runs from source. */
function builtConsole(): string {
  const folders = ['assets/console', '../../../dist/apps/console'].map((one) => path.join(__dirname, one));
  const folder = folders.find((one) => existsSync(path.join(one, 'index.html')));
  if (!folder) throw new Error('the console is not part of this build: run `npx nx build console`');
  return folder;
}
