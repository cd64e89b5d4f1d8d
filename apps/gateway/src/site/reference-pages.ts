import {
  headerList,
  redirectPage,
  securityHeaders,
  type Exchange,
  type Headers,
  type Page,
} from '@reseller/http-edge';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { builtFiles, MANIFEST } from './built-files';

/** Where the reference is. */
export const REFERENCE_PATH = '/docs/reference';

const pageOf = (nonce: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" content="${nonce}" />
    <title>API reference | Partner Reseller</title>
    <link rel="stylesheet" href="${REFERENCE_PATH}/reference.css" />
    <link rel="icon" type="image/svg+xml" href="${REFERENCE_PATH}/icon.svg" />
  </head>
  <body>
    <header class="site-bar"><a href="/docs/">Partner Reseller</a><span>API reference</span></header>
    <div id="reference"></div>
    <script src="${REFERENCE_PATH}/start.js"></script>
    <script src="${REFERENCE_PATH}/scalar.js"></script>
  </body>
</html>
`;

/** The page's own scripts and styles, and requests to this gateway only. */
const headersOf = (nonce: string): Headers =>
  securityHeaders({
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // The renderer makes style elements, which carry the page's nonce, and sets style attributes.
    styleSrc: ["'self'", `'nonce-${nonce}'`],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  });

function sendReference(exchange: Exchange): void {
  const nonce = randomBytes(16).toString('base64');
  const headers = {
    ...headersOf(nonce),
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
  };
  exchange.send(200, pageOf(nonce), headerList(headers));
}

/** The browsable reference; it loads nothing from anywhere else. */
export function referencePages(folder: string): [path: string, page: Page][] {
  if (!existsSync(path.join(folder, MANIFEST)))
    throw new Error('the reference is not part of this build: run `npx nx build docs-site`');
  return [
    [REFERENCE_PATH, sendReference],
    [`${REFERENCE_PATH}/`, redirectPage(REFERENCE_PATH)],
    ...builtFiles(folder, {}).pages,
  ];
}
