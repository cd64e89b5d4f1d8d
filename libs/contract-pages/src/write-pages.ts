import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '@reseller/contract-testing';
import { contractsPage } from './contracts-page';
import { protosPage } from './protos-page';

const folder = path.join(ROOT, 'dist/docs');
mkdirSync(folder, { recursive: true });
for (const [name, page] of [
  ['protos.md', protosPage()],
  ['contracts.md', contractsPage()],
] as const) {
  writeFileSync(path.join(folder, name), page);
  process.stdout.write(`contract-pages: dist/docs/${name}\n`);
}
