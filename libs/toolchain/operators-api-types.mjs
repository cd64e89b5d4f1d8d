// Writes the types of the operators' API for apps/console, out of backoffice's own OpenAPI document as its sources make it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { loadSources } from './load-sources.mjs';

const target = 'apps/console/src/generated/operators-api.ts';
const { document } = await loadSources(`
  import { openApiDocument } from './apps/backoffice/src/openapi';
  import { routes } from './apps/backoffice/src/routes';
  export const document = openApiDocument(routes);`);
const types = await openapiTS(document, { alphabetize: true, defaultNonNullable: false });
mkdirSync(path.dirname(target), { recursive: true });
writeFileSync(target, astToString(types));
