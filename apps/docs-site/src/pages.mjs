// Which Markdown files the site is made of, and under which address each is.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Who an edition is for: `whole` is all that is written, `partners` what a public installation may show. */
export const EDITIONS = {
  whole: {
    outDir: 'dist/site',
    markdown: [
      'docs/**/*.md',
      'dist/docs/*.md',
      'apps/*/README.md',
      'libs/*/README.md',
      'deploy/**/README.md',
      'README.md',
    ],
    files: ['docs/**/*.{json,jsonl,png,sh,svg}'],
  },
  partners: {
    outDir: 'dist/partners-site',
    markdown: ['docs/partners/**/*.md', 'libs/webhook-receiver/README.md'],
    files: ['docs/partners/**/*.{json,jsonl,png,sh,svg}'],
  },
};

/** Where a file of the repository is in the site: docs/ is the top, what is generated a folder, a README its folder's first page. */
export function pageOf(source) {
  if (source === 'README.md') return 'repository.md';
  const [top, ...rest] = source.split('/');
  if (top === 'docs') return rest.join('/').replace(/README\.md$/, 'index.md');
  if (top === 'dist') return ['services', ...rest.slice(1)].join('/');
  // apps/gateway/README.md is the one page of its folder.
  if (/^(apps|libs)$/.test(top)) return source.replace(/\/README\.md$/, '.md');
  return source.replace(/README\.md$/, 'index.md');
}

/** The first heading, without the audience that the folder says already. */
export function titleOf(markdown, fallback) {
  const heading = /^# +(.+)$/m.exec(markdown)?.[1] ?? fallback;
  const title = heading
    .replace(/^For partners: */, '')
    .replaceAll('`', '')
    .trim();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** The pages of an edition, in the order of their names: source, page, title and text of each. */
export function findPages(root, { markdown }) {
  return globSync(markdown, { cwd: root, exclude: (name) => /(^|\/)node_modules$/.test(name) })
    .map((source) => source.replaceAll(path.sep, '/'))
    .sort()
    .map((source) => {
      const text = readFileSync(path.join(root, source), 'utf8');
      return { source, page: pageOf(source), text, title: titleOf(text, path.basename(source, '.md')) };
    });
}

/** What lies beside the pages and is linked as it is. */
export function findFiles(root, { files }) {
  return globSync(files, { cwd: root })
    .map((source) => source.replaceAll(path.sep, '/'))
    .sort()
    .map((source) => ({ source, page: pageOf(source) }));
}

/** What a link of a page means: another page, a file of the site, something of the repository that has no page, or nothing that exists. */
export function resolveLink(href, { root, source, pages, files }) {
  if (/^([a-z][a-z+.-]*:|#|\/\/)/i.test(href)) return { kind: 'outside' };
  const [, target = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  const wanted = path.posix.normalize(path.posix.join(path.posix.dirname(source), decodeURI(target)));
  const page = pages.get(wanted) ?? pages.get(`${wanted.replace(/\/$/, '')}/README.md`);
  if (page) return { kind: 'page', href: `/${page}${hash}` };
  const file = files.get(wanted);
  if (file) return { kind: 'file', href: `/${file}` };
  return { kind: existsSync(path.join(root, wanted)) ? 'repository' : 'missing' };
}
