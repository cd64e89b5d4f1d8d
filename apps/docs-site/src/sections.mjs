// Navigation and sidebar, derived from the folders that the pages are in.

/** What a folder is called, and its place; one that is not named here comes last, under its own name. */
const SECTIONS = {
  partners: 'Partners',
  operators: 'Operators',
  platform: 'Platform',
  vendors: 'Vendors',
  spec: 'Rules',
  services: 'Between services',
  'how-to': 'How to',
  adr: 'Decisions',
  benchmarks: 'Benchmarks',
  deploy: 'Deploy',
  apps: 'Apps',
  libs: 'Libraries',
};

/** As many as fit beside the search on a laptop; the others are under "More". */
const IN_BAR = 4;

const linkOf = (page) => `/${page.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;

const nameOf = (folder) =>
  SECTIONS[folder] ?? folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll('-', ' ');

const byName = (a, b) => a.page.localeCompare(b.page, 'en', { numeric: true });

/** Where a folder begins: at its README, or else where partners begin. */
const firstOf = (pages) =>
  pages.find(({ page }) => page.endsWith('/index.md')) ??
  pages.find(({ page }) => page.endsWith('/getting-started.md')) ??
  pages[0];

/** The folder's first page, then the others as that one names them first, then the rest by name. */
function inReadingOrder(pages) {
  const sorted = [...pages].sort(byName);
  const first = firstOf(sorted);
  const place = (one) => {
    if (one === first) return -1;
    const at = first.text.indexOf(`](${one.page.split('/').slice(1).join('/')}`);
    return at < 0 ? Infinity : at;
  };
  return sorted
    .map((one) => ({ one, at: place(one) }))
    .sort((a, b) => (a.at === b.at ? 0 : a.at - b.at))
    .map(({ one }) => one);
}

/** The folders with their pages, in the order of the bar. */
export function sectionsOf(pages) {
  const names = [
    ...new Set(pages.filter(({ page }) => page.includes('/')).map(({ page }) => page.split('/')[0])),
  ];
  const known = Object.keys(SECTIONS);
  const place = (name) => (known.includes(name) ? known.indexOf(name) : known.length);
  return names
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b, 'en'))
    .map((folder) => {
      const own = inReadingOrder(pages.filter(({ page }) => page.startsWith(`${folder}/`)));
      const items = own.map(({ page, title }) => ({ text: title, link: linkOf(page) }));
      return { folder, text: nameOf(folder), link: items[0].link, items };
    });
}

/** The page of the API reference, which is not one of the site's own: the browser has to load it. */
export const REFERENCE = { text: 'API reference', link: '/reference', target: '_self' };

/** The bar at the top. */
export function navOf(sections) {
  const items = sections.map(({ folder, text, link }) => ({ text, link, activeMatch: `^/${folder}/` }));
  const more = items.slice(IN_BAR);
  return [
    ...items.slice(0, IN_BAR),
    ...(more.length > 0 ? [{ text: 'More', items: more.map(({ text, link }) => ({ text, link })) }] : []),
    REFERENCE,
  ];
}

/** The list at the side: pages of no folder first, then each folder, folded but for the one that is open. */
export function sidebarOf(pages, sections) {
  const loose = pages
    .filter(({ page }) => !page.includes('/'))
    .map(({ page, title }) => ({ text: title, link: linkOf(page) }));
  return [
    { text: 'API reference', link: '/reference', target: '_self' },
    ...loose,
    ...sections.map(({ text, items }) => ({ text, collapsed: true, items })),
  ];
}

/** The first page: what there is for whom. */
export function homePage(sections) {
  const start = sections[0];
  return `---\n${JSON.stringify({
    layout: 'home',
    title: 'Documentation',
    hero: {
      name: 'Partner Reseller',
      text: 'Documentation',
      tagline: 'Sell mobile top-ups, eSIMs and scents under your own name, through one HTTP API.',
      actions: [
        { theme: 'brand', text: start.items[0].text, link: start.link },
        { theme: 'alt', ...REFERENCE },
      ],
    },
    features: sections.map(({ text, link, items }) => ({
      title: text,
      details: items
        .slice(0, 4)
        .map((item) => item.text)
        .join(' · '),
      link,
    })),
  })}\n---\n`;
}

/** A folder's own address leads to its first page, where it has no README. */
export const redirectsOf = (sections) =>
  Object.fromEntries(
    sections.flatMap(({ folder, link }) =>
      [folder, `${folder}/`].map((from) => [`/docs/${from}`, `/docs${link}`]),
    ),
  );
