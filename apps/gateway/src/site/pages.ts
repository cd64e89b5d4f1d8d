import { openApiPage, statusPages, type ApplicationPage, type Page } from '@reseller/http-edge';
import type { Health } from '@reseller/service-kit';
import { Documentation } from './documentation';
import { referencePages } from './reference-pages';

/** Where the OpenAPI document is. */
const OPENAPI_PATH = '/api/v1/openapi.json';

/** Where the files are that builds made. */
interface BuiltFiles {
  readonly openApi: string;
  readonly reference: string;
  readonly site: string;
}

/** Everything that is read without a token and without a limit (spec §1.9). */
export function createPages(
  health: Health,
  built: BuiltFiles,
): { pages: Map<string, Page>; applications: ApplicationPage[] } {
  const { page } = new Documentation(built.site);
  return {
    pages: new Map<string, Page>([
      ...statusPages(health),
      [OPENAPI_PATH, openApiPage(built.openApi)],
      ['/docs', page],
      ...referencePages(built.reference),
    ]),
    applications: [{ under: '/docs/', page }],
  };
}
