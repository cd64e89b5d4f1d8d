// The links of a page as the site has them; on GitHub and in an editor the same Markdown links to the files.
import { resolveLink } from './pages.mjs';

/** The anchor that GitHub makes of a heading, so that `page.md#a-heading` works there and here. */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Teaches markdown-it to follow links by where the file is in the repository. What has no page, such as a source file,
 * is shown without a link; what does not exist is left as it is, and VitePress reports it.
 */
export function repositoryLinks(md, { root, sourceOf, pages, files }) {
  md.core.ruler.push('repository-links', (state) => {
    const source = sourceOf.get(state.env.relativePath);
    if (!source) return;
    for (const { children } of state.tokens) {
      let dropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && dropped) {
          token.tag = 'span';
          dropped = false;
        }
        if (token.type !== 'link_open') continue;
        const link = resolveLink(token.attrGet('href') ?? '', { root, source, pages, files });
        if (link.href) token.attrSet('href', link.href);
        // A file is the browser's to show; the site's router would look for a page.
        if (link.kind === 'file') token.attrSet('target', '_blank');
        if (link.kind !== 'repository') continue;
        token.tag = 'span';
        token.attrs = [['class', 'no-page']];
        dropped = true;
      }
    }
  });
}
