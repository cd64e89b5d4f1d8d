/** Links of pages to headings of each other that are not there. */
export function brokenLinks(pages: Readonly<Record<string, string>>): string[] {
  const anchor = (title: string): string =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  const headings = new Set(
    Object.entries(pages).flatMap(([name, page]) =>
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => `${name}#${anchor(title)}`),
    ),
  );
  return Object.entries(pages).flatMap(([name, page]) =>
    [...page.matchAll(/\]\((\w+\.md)?#([^)]+)\)/g)]
      .map(([, file = name, heading]) => `${file}#${heading}`)
      .filter((link) => !headings.has(link)),
  );
}
