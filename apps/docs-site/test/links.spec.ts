import { describe, expect, it } from '@jest/globals';
import { readEdition, ROOT } from '../src/edition.mjs';
import { slugOf } from '../src/links.mjs';
import { pageOf, resolveLink, titleOf } from '../src/pages.mjs';

interface Page {
  source: string;
  page: string;
  text: string;
}

const withoutCode = (text: string): string =>
  text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors of a page, numbered where a heading comes again. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = text.replace(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) => {
      const slug = slugOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', ''));
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count ? `${slug}-${count}` : slug;
    }),
  );
}

function contextOf(name: 'whole' | 'partners') {
  const { pages, files } = readEdition(name) as {
    pages: Page[];
    files: { source: string; page: string }[];
  };
  return {
    pages,
    links: {
      root: ROOT,
      pages: new Map(pages.map(({ source, page }) => [source, page])),
      files: new Map(files.map(({ source, page }) => [source, page])),
    },
  };
}

const linksOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, href]) => href ?? '');

describe.each(['whole', 'partners'] as const)('the links of the edition %s', (name) => {
  const { pages, links } = contextOf(name);

  it('when they are followed, then each leads to a page, a file or a source that is there', () => {
    const missing = pages.flatMap(({ source, text }) =>
      linksOf(text)
        .filter((href) => resolveLink(href, { ...links, source }).kind === 'missing')
        .map((href) => `${source}: ${href}`),
    );
    expect(missing).toEqual([]);
  });

  it('when they name a heading, then the page has it', () => {
    const anchors = new Map(pages.map(({ page, text }) => [page, anchorsOf(text)]));
    const lost = pages.flatMap(({ source, page, text }) =>
      linksOf(text).flatMap((href) => {
        const to = href.startsWith('#') ? `/${page}${href}` : resolveLink(href, { ...links, source }).href;
        const [target = '', anchor] = to?.slice(1).split('#') ?? [];
        return anchor && anchors.get(target)?.has(anchor) === false ? [`${source}: ${href}`] : [];
      }),
    );
    expect(lost).toEqual([]);
  });
});

describe('what a public installation shows', () => {
  it('when its pages are listed, then they are for partners, and no link leads to what is not shown', () => {
    const { pages, links } = contextOf('partners');
    expect(pages.filter(({ source }) => !/^(docs\/partners|libs\/webhook-receiver)\//.test(source))).toEqual(
      [],
    );
    const out = pages.flatMap(({ source, text }) =>
      linksOf(text).filter((href) => resolveLink(href, { ...links, source }).kind === 'repository'),
    );
    expect(out).toEqual([]);
  });
});

describe('a page', () => {
  it.each([
    ['docs/architecture.md', 'architecture.md'],
    ['docs/platform/README.md', 'platform/index.md'],
    ['docs/partners/errors.md', 'partners/errors.md'],
    ['dist/docs/protos.md', 'services/protos.md'],
    ['apps/gateway/README.md', 'apps/gateway.md'],
    ['deploy/README.md', 'deploy/index.md'],
    ['README.md', 'repository.md'],
  ])('when it is %s, then it is at %s', (source, page) => {
    expect(pageOf(source)).toBe(page);
  });

  it.each([
    ['# For partners: the first hour\n', 'The first hour'],
    ['text\n\n# `gateway`\n', 'Gateway'],
    ['no heading', 'Fallback'],
  ])('when it begins with %j, then it is called %s', (text, title) => {
    expect(titleOf(text, 'fallback')).toBe(title);
  });

  it.each([
    ['What grows, and what ends it', 'what-grows-and-what-ends-it'],
    ['`migrate.js`', 'migratejs'],
    ['Order § 1.2: état', 'order--12-état'],
  ])('when a heading is %s, then its anchor is that of GitHub, %s', (heading, anchor) => {
    expect(slugOf(heading)).toBe(anchor);
  });
});
