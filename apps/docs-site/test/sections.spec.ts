import { describe, expect, it } from '@jest/globals';
import { homePage, navOf, redirectsOf, sectionsOf, sidebarOf } from '../src/sections.mjs';

const page = (name: string, text = '') => ({ page: `${name}.md`, title: name, text });

const pages = [
  page('zoo/b'),
  page('spec/index', '[one](10-a.md) [two](2-b.md)'),
  page('spec/2-b'),
  page('spec/10-a'),
  page('spec/3-c'),
  page('partners/errors'),
  page('partners/getting-started'),
  page('architecture'),
];

describe('the sections', () => {
  const sections = sectionsOf(pages);

  it('when they are derived, then from the folders: known ones in their order, new ones after them under their own names', () => {
    expect(sections.map(({ text }) => text)).toEqual(['Partners', 'Rules', 'Zoo']);
  });

  it('when a folder has a first page, then it leads, and the others follow in its order, then by number and name', () => {
    expect(sections.map(({ items }) => items.map(({ link }) => link))).toEqual([
      ['/partners/getting-started', '/partners/errors'],
      ['/spec/', '/spec/10-a', '/spec/2-b', '/spec/3-c'],
      ['/zoo/b'],
    ]);
  });

  it('when the bar and the side are made, then every page is at the side, and the reference in both', () => {
    expect(navOf(sections).map(({ text }) => text)).toEqual(['Partners', 'Rules', 'Zoo', 'API reference']);
    const many = Array.from({ length: 7 }, (_, index) => page(`folder-${index}/a`));
    expect(navOf(sectionsOf(many)).map(({ text }) => text)).toEqual([
      'Folder 0',
      'Folder 1',
      'Folder 2',
      'Folder 3',
      'More',
      'API reference',
    ]);
    const side = JSON.stringify(sidebarOf(pages, sections));
    for (const link of ['/architecture', '/spec/3-c', '/zoo/b', '/reference'])
      expect(side).toContain(`"${link}"`);
  });

  it('when a folder has no README, then its address leads to its first page', () => {
    expect(redirectsOf(sections)).toMatchObject({
      '/docs/partners': '/docs/partners/getting-started',
      '/docs/spec': '/docs/spec/',
    });
  });

  it('when the first page is made, then it leads to the first page of each folder', () => {
    expect(homePage(sections)).toContain('"link":"/zoo/b"');
  });
});
