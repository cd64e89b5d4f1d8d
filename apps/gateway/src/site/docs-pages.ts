import path from 'node:path';
import { fixedPage, securityHeaders, type Page, type StaticFiles } from '@reseller/http-edge';

/** Where the OpenAPI document is. */
export const OPENAPI_PATH = '/api/v1/openapi.json';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Partner Reseller API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" sizes="32x32" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/initializer.js"></script>
  </body>
</html>
`;

const INITIALIZER = `window.ui = SwaggerUIBundle({
  url: '${OPENAPI_PATH}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The page's own scripts and styles, and requests to this gateway only. */
const headers = securityHeaders({
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
});

/** The files of the renderer that the page needs, out of its installed package. */
export const rendererFiles = (): StaticFiles => ({
  under: '/docs/',
  directory: path.dirname(require.resolve('swagger-ui-dist/package.json')),
  headers,
  only: ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'],
});

const page = fixedPage(PAGE, 'text/html; charset=utf-8', headers);

/** The browsable reference; it loads nothing from anywhere else. */
export const docsPages: Readonly<Record<string, Page>> = {
  '/docs': page,
  '/docs/': page,
  '/docs/initializer.js': fixedPage(INITIALIZER, 'text/javascript; charset=utf-8', headers),
};
