import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const INLINE = /<script( id="[\w-]+")?>([\s\S]+?)<\/script>/g;

/** Moves a page's inline scripts into files: `script-src 'self'` allows no others. They still run before anything is painted. */
export function externalScripts(html, outDir) {
  return html.replace(INLINE, (_match, id = '', code) => {
    const name = `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
    mkdirSync(path.join(outDir, 'assets'), { recursive: true });
    writeFileSync(path.join(outDir, name), code);
    return `<script${id} src="/docs/${name}"></script>`;
  });
}
