import path from 'node:path';
import { DOCS_SECURITY_HEADERS } from '../pipeline/security-headers';
import { fixedPage, type Page } from './status-pages';

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

/** The files of the renderer that the page needs, out of its installed package. */
export const RENDERER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** The directory of the installed renderer. */
export const rendererDirectory = (): string => path.dirname(require.resolve('swagger-ui-dist/package.json'));

const page = fixedPage(PAGE, 'text/html; charset=utf-8', DOCS_SECURITY_HEADERS);

/** The browsable reference; it loads nothing from anywhere else. */
export const docsPages: Readonly<Record<string, Page>> = {
  '/docs': page,
  '/docs/': page,
  '/docs/initializer.js': fixedPage(INITIALIZER, 'text/javascript; charset=utf-8', DOCS_SECURITY_HEADERS),
};
