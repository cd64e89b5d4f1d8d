import { ConfigError } from '@reseller/service-kit';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { MANIFEST } from './site/built-files';

/** A folder that another build made: beside the bundle where it was put there, else in the workspace's builds. */
const built = (asset: string, build: string): string => {
  const [shipped, workspace] = [`assets/${asset}`, `../../../dist/${build}`].map((one) =>
    path.join(__dirname, one),
  ) as [string, string];
  return existsSync(shipped) ? shipped : workspace;
};

/** The API reference's own files, from apps/docs-site. */
export const referenceFolder = (): string => built('reference', 'apps/docs-site');

/**
 * The documentation that `npm run docs` builds; in an image, its part for partners. It may not be there, except in the folder that
 * DOCS_SITE_DIR gives: a ConfigError.
 */
export function siteFolder(given: string | undefined): string {
  if (given === undefined) return built('site', 'site');
  if (!existsSync(path.join(given, MANIFEST)))
    throw new ConfigError([
      `DOCS_SITE_DIR is not valid: expected a site that \`npm run docs\` built in ${given}`,
    ]);
  return given;
}

/** The OpenAPI document, which `nx run gateway:generate` makes and the bundle takes along. */
export const openApiFile = path.join(__dirname, 'generated/openapi.json');
