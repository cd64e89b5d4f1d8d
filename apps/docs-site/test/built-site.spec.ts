import { beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../src/edition.mjs';

interface Manifest {
  files: { address: string; file: string; type: string; codings: string[]; immutable: boolean }[];
  redirects: Record<string, string>;
}

const read = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(ROOT, folder, 'site.json'), 'utf8')) as Manifest;

const build = () =>
  spawnSync(process.execPath, ['apps/docs-site/build-site.mjs', 'partners'], { cwd: ROOT, encoding: 'utf8' });

describe('the site for partners, as it is built', () => {
  let manifest: Manifest;
  let html: [file: string, text: string][];

  beforeAll(() => {
    // `npm test` has built it; then this only compares.
    expect([build().status]).toEqual([0]);
    manifest = read('dist/partners-site');
    html = manifest.files
      .filter(({ file }) => file.endsWith('.html'))
      .map(({ file }) => [file, readFileSync(path.join(ROOT, 'dist/partners-site', file), 'utf8')]);
  }, 300_000);

  it('when it is built again from the same, then nothing is done', () => {
    expect(build().stdout).toBe('docs: dist/partners-site is up to date\n');
  });

  it('when its pages are read, then no script and no style element stands in them, and nothing is loaded from elsewhere', () => {
    expect(html.length).toBeGreaterThan(12);
    for (const [file, text] of html) {
      expect([file, text.match(/<script(?![^>]* src=)[^>]*>|<style[\s>]|javascript:| on\w+="/g)]).toEqual([
        file,
        null,
      ]);
      const loaded = [...text.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"/g)].map(
        ([, url]) => url ?? '',
      );
      expect([file, loaded.filter((url) => !url.startsWith('/docs/'))]).toEqual([file, []]);
    }
  });

  it('when its pages link or load something of the site, then the list has it', () => {
    const known = new Set(manifest.files.map(({ address }) => address).concat('/docs/reference'));
    const lost = html.flatMap(([file, text]) =>
      [...text.matchAll(/(?:src|href)="(\/docs[^"#]*)/g)]
        .map(([, url]) => decodeURI(url ?? ''))
        .filter((url) => !known.has(url))
        .map((url) => `${file}: ${url}`),
    );
    expect([...new Set(lost)]).toEqual([]);
  });

  it('when its files are listed, then each is there with its compressed forms, and only named by contents it is kept for good', () => {
    for (const { file, codings, immutable } of manifest.files) {
      const forms = ['', ...codings.map((coding) => (coding === 'br' ? '.br' : '.gz'))];
      for (const form of forms)
        expect([file + form, existsSync(path.join(ROOT, 'dist/partners-site', file + form))]).toEqual([
          file + form,
          true,
        ]);
      expect([file, immutable && !/\.[\w-]{8,}\.(lean\.)?\w+$/.test(file)]).toEqual([file, false]);
    }
    expect(manifest.files.map(({ address }) => address)).toContain('/docs/licences.txt');
    expect(manifest.redirects['/docs/partners']).toBe('/docs/partners/getting-started');
  });
});

describe('the reference, as it is built', () => {
  it('when its files are listed, then they are Scalar and what starts it, with its licence', () => {
    expect(read('dist/apps/docs-site').files.map(({ address }) => address)).toEqual(
      ['icon.svg', 'reference.css', 'scalar-licence.txt', 'scalar.js', 'start.js'].map(
        (name) => `/docs/reference/${name}`,
      ),
    );
  });
});
