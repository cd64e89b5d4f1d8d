// Writes apps/<app>/src/generated/openapi.json: the OpenAPI document of an edge's routes, which it serves as it stands, and out of which
// types and clients are made.
//   node libs/toolchain/openapi-document.mjs <app> <its module with openApiDocument, below src>
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadSources } from './load-sources.mjs';

const [app, module] = process.argv.slice(2);
if (!app || !module) throw new Error('name an app and its module that exports openApiDocument');
const { document } = await loadSources(`
  import { openApiDocument } from './apps/${app}/src/${module}';
  import { routes } from './apps/${app}/src/routes';
  export const document = openApiDocument(routes);`);
const target = path.join('apps', app, 'src/generated/openapi.json');
mkdirSync(path.dirname(target), { recursive: true });
writeFileSync(target, JSON.stringify(document));
