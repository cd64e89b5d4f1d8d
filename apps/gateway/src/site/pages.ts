import {
  API_SECURITY_HEADERS,
  fixedPage,
  statusPages,
  type ApplicationPage,
  type Page,
} from '@reseller/http-edge';
import type { Health } from '@reseller/service-kit';
import { openApiDocument } from '../openapi/document';
import type { NamedRoute } from '../routes/route';
import { Documentation } from './documentation';
import { referencePages } from './reference-pages';

/** Where the OpenAPI document is. */
const OPENAPI_PATH = '/api/v1/openapi.json';

/** Where the files are that other builds made. */
export interface BuiltFolders {
  readonly reference: string;
  readonly site: string;
}

/** Everything that is read without a token and without a limit (spec §1.9). */
export function createPages(
  routes: readonly NamedRoute[],
  health: Health,
  folders: BuiltFolders,
): { pages: Map<string, Page>; applications: ApplicationPage[] } {
  const document = JSON.stringify(openApiDocument(routes));
  const { page } = new Documentation(folders.site);
  return {
    pages: new Map<string, Page>([
      ...statusPages(health),
      [OPENAPI_PATH, fixedPage(document, 'application/json; charset=utf-8', API_SECURITY_HEADERS)],
      ['/docs', page],
      ...referencePages(folders.reference),
    ]),
    applications: [{ under: '/docs/', page }],
  };
}
