import { AppError } from '@reseller/errors';
import { headerList, securityHeaders, splitTarget, type Exchange, type Page } from '@reseller/http-edge';
import { statSync } from 'node:fs';
import path from 'node:path';
import { builtFiles, MANIFEST } from './built-files';
import { REFERENCE_PATH } from './reference-pages';

const PAGE_HEADERS = securityHeaders({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  // Colours of code are style attributes.
  styleSrcAttr: ["'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
});

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Documentation | Partner Reseller</title>
  </head>
  <body>
    <h1>The documentation is not built</h1>
    <p>Run <code>npm run docs</code> in the clone that this gateway was started from, then reload this page.</p>
    <p>The <a href="${REFERENCE_PATH}">API reference</a> is here already.</p>
  </body>
</html>
`;

const NOT_BUILT_HEADERS = headerList({
  ...PAGE_HEADERS,
  'Cache-Control': 'no-store',
  'Content-Type': 'text/html; charset=utf-8',
});

const sendNotBuilt =
  (status: number): Page =>
  (exchange) =>
    exchange.send(status, NOT_BUILT, NOT_BUILT_HEADERS);

type Site = ReturnType<typeof builtFiles>;

const WITHOUT_SITE: Site = {
  pages: new Map(['/docs', '/docs/'].map((one) => [one, sendNotBuilt(200)])),
  notFound: sendNotBuilt(404),
};

/** The guides, as the site that was built last: a gateway need not be started anew for it. */
export class Documentation {
  private site = WITHOUT_SITE;
  private builtAt = 0;

  constructor(private readonly folder: string) {}

  /** Shows what is at an address under /docs: the page for unknown ones to browsers, the error envelope to programs. */
  readonly page: Page = (exchange) => {
    const { pages, notFound } = this.latest();
    const { path: address } = splitTarget(exchange.request.url);
    const page = pages.get(address === '/docs' ? '/docs/' : address);
    if (page) return page(exchange);
    if (notFound && wantsPage(exchange)) return notFound(exchange);
    throw new AppError('NOT_FOUND_ROUTE');
  };

  private latest(): Site {
    const builtAt = statSync(path.join(this.folder, MANIFEST), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (builtAt !== this.builtAt) {
      this.site = builtAt ? builtFiles(this.folder, PAGE_HEADERS) : WITHOUT_SITE;
      this.builtAt = builtAt;
    }
    return this.site;
  }
}

const wantsPage = ({ request }: Exchange): boolean => /\btext\/html\b/.test(request.headers.accept ?? '');
