import { redirectPage, securityHeaders, storedFilePage, type Headers, type Page } from '@reseller/http-edge';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The list that apps/docs-site writes of what it built, with each address as it is requested. */
export const MANIFEST = 'site.json';

const manifest = z.object({
  files: z.array(
    z.object({
      address: z.string().startsWith('/docs'),
      file: z.string(),
      type: z.string(),
      codings: z.array(z.enum(['br', 'gzip'])),
      hash: z.string(),
      /** The name changes with the contents. */
      immutable: z.boolean(),
    }),
  ),
  redirects: z.record(z.string(), z.string()),
});

const PAGE = 'text/html; charset=utf-8';

/** Of what is no page: nothing in it runs by itself. */
const FILE_HEADERS = securityHeaders({ defaultSrc: ["'none'"] });

/** For good where the name changes with the contents; everything else is requested each time, and the response is mostly 304. */
const caching = (immutable: boolean): Headers => ({
  'Cache-Control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
});

/**
 * The files of a build by address. Only what its list names is ever opened, so no address leads out of the folder; pages get
 * `pageHeaders`, and `notFound` is the one that other addresses show.
 */
export function builtFiles(
  folder: string,
  pageHeaders: Headers,
): { pages: Map<string, Page>; notFound: Page | undefined } {
  const { files, redirects } = manifest.parse(
    JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8')) as unknown,
  );
  const stored = files.map(({ address, file, type, codings, hash, immutable }) => ({
    address,
    file: path.join(folder, file),
    type,
    codings,
    hash,
    headers: { ...(type === PAGE ? pageHeaders : FILE_HEADERS), ...caching(immutable) },
  }));
  const notFound = stored.find(({ address }) => address === '/docs/404');
  return {
    pages: new Map([
      ...Object.entries(redirects).map(([from, to]): [string, Page] => [from, redirectPage(to)]),
      ...stored
        .filter((one) => one !== notFound)
        .map((one): [string, Page] => [one.address, storedFilePage(one)]),
    ]),
    notFound: notFound && storedFilePage(notFound, 404),
  };
}
