import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The folders of the packages that modules come from. */
const packagesOf = (moduleIds) =>
  [...new Set(moduleIds.map((id) => PACKAGE.exec(id.replaceAll('\\', '/'))?.[1]).filter(Boolean))].sort();

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) return `${name} ${version} (${license})\n`;
  return `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
}

/** Adds licences.txt to a build: the notices of the packages whose code is in it, as their licences want. */
export const licences = () => ({
  name: 'licences',
  apply: (_config, { isSsrBuild }) => !isSsrBuild,
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds }) => moduleIds ?? []);
    const source = packagesOf(modules)
      .map(noticeOf)
      .join(`\n${'-'.repeat(80)}\n\n`);
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
  },
});
