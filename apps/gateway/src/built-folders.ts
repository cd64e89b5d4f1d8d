import { existsSync } from 'node:fs';
import path from 'node:path';

/** A folder that another build made: beside the bundle where it was put there, else in the workspace's builds. */
const built = (asset: string, build: string): string => {
  const [shipped, workspace] = [`assets/${asset}`, `../../../dist/${build}`].map((one) =>
    path.join(__dirname, one),
  ) as [string, string];
  return existsSync(shipped) ? shipped : workspace;
};

/** The API reference's own files, from apps/docs-site. */
export const referenceFolder = (): string => built('reference', 'apps/docs-site');

/** The documentation that `npm run docs` builds; in an image, its part for partners. It may not be there. */
export const siteFolder = (): string => built('site', 'site');

/** The OpenAPI document, which `nx run gateway:generate` makes and the bundle takes along. */
export const openApiFile = path.join(__dirname, 'generated/openapi.json');
