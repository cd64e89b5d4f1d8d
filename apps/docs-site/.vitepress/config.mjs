import { defineConfig } from 'vitepress';
import { readEdition, ROOT } from '../src/edition.mjs';
import { externalScripts } from '../src/external-scripts.mjs';
import { licences } from '../src/licences.mjs';
import { repositoryLinks, slugOf } from '../src/links.mjs';
import { navOf, sectionsOf, sidebarOf } from '../src/sections.mjs';

const { pages, files, buildDir, sourceDir, cacheDir } = readEdition();
const sections = sectionsOf(pages);
const links = {
  root: ROOT,
  sourceOf: new Map(pages.map(({ source, page }) => [page, source])),
  pages: new Map(pages.map(({ source, page }) => [source, page])),
  files: new Map(files.map(({ source, page }) => [source, page])),
};

export default defineConfig({
  // Where the gateway serves it (apps/gateway/src/site).
  base: '/docs/',
  srcDir: sourceDir,
  outDir: buildDir,
  cacheDir,
  title: 'Partner Reseller',
  description: 'How to sell through the Partner Reseller platform, operate it and deploy it.',
  cleanUrls: true,
  // Between light and dark a style element would switch animations off, which the content security policy refuses.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  // In a file of its own, and so are the two scripts of the head: the content security policy allows none in a page.
  metaChunk: true,
  transformHtml: (html) => externalScripts(html, buildDir),
  markdown: {
    html: false,
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: (md) => repositoryLinks(md, links),
  },
  vite: {
    plugins: [licences()],
    // No file as a data: address, which the content security policy would refuse.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 },
  },
  themeConfig: {
    nav: navOf(sections),
    sidebar: sidebarOf(pages, sections),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [],
  },
});
