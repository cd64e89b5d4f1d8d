import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { protosPage } from '../src/pages/protos-page';
import { ROOT } from '../src/schema/schema';

/** Each page that is generated from protos, contracts and consumers' code. */
const PAGES: Readonly<Record<string, () => string>> = {
  'docs/platform/protos.md': protosPage,
};

describe('a generated page', () => {
  it.each(Object.entries(PAGES))('when the contracts are read, then %s says what they do', (name, render) => {
    const file = path.join(ROOT, name);
    const page = render();
    // npm run contract-pages
    if (process.env['CONTRACT_WRITE_PAGES']) writeFileSync(file, page);
    expect(readFileSync(file, 'utf8')).toBe(page);
  });

  it.each(Object.entries(PAGES))('when %s links within itself, then the heading is there', (_, render) => {
    const page = render();
    const headings = new Set(
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        String(title)
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link);
    expect(links.filter((link) => !headings.has(String(link)))).toEqual([]);
  });
});
