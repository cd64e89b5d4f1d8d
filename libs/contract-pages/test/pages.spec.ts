import { expect, it } from '@jest/globals';
import { callersOf, RPCS } from '@reseller/contract-testing';
import { contractsPage } from '../src/contracts-page';
import { protosPage } from '../src/protos-page';

/** Links of pages to headings of each other that are not there. */
function brokenLinks(pages: Readonly<Record<string, string>>): string[] {
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

it('when the pages are built, then they have every RPC and its callers, and links lead to headings', () => {
  const [protos, page] = [protosPage(), contractsPage()];
  for (const [rpc, method] of RPCS) {
    expect(protos).toContain(`#### ${rpc}\n`);
    for (const app of callersOf(method)) expect(page).toContain(`## ${app} calls `);
  }
  expect(brokenLinks({ 'protos.md': protos, 'contracts.md': page })).toEqual([]);
});
