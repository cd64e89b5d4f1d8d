import { API_SECURITY_HEADERS, fixedPage, statusPages, type Page } from '@reseller/http-edge';
import type { Health } from '@reseller/service-kit';
import { openApiDocument } from '../openapi/document';
import type { NamedRoute } from '../routes/route';
import { docsPages, OPENAPI_PATH } from './docs-pages';

/** Everything that is read without a token and without a limit (spec §1.9). */
export function createPages(routes: readonly NamedRoute[], health: Health): Map<string, Page> {
  const document = JSON.stringify(openApiDocument(routes));
  return new Map<string, Page>([
    ...statusPages(health),
    [OPENAPI_PATH, fixedPage(document, 'application/json; charset=utf-8', API_SECURITY_HEADERS)],
    ...Object.entries(docsPages),
  ]);
}
