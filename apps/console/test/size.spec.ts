import { expect, it } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const built = path.resolve(__dirname, '../../../dist/apps/console');

/** What the build knows of a script: its file, and what it needs before it runs. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const manifest = JSON.parse(readFileSync(path.join(built, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** The files of a script with all that it needs. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const { file, imports = [], css = [] } = manifest[name] ?? { file: '' };
  if (file === '') throw new Error(`${name} is not in the build`);
  if (found.has(file)) return found;
  for (const one of [file, ...css]) found.add(one);
  for (const one of imports) filesOf(one, found);
  return found;
}

it('when the first page is opened in either language, then at most 250 KiB of compressed files come', () => {
  const first = ['index.html', 'src/overview/overview-page.tsx', 'src/words/ar.ts'];
  const files = new Set(first.flatMap((name) => [...filesOf(name)]));
  const size = [...files].reduce((sum, file) => sum + statSync(path.join(built, `${file}.br`)).size, 0);
  expect(size).toBeGreaterThan(50 * 1024);
  expect(size).toBeLessThanOrEqual(250 * 1024);
});
