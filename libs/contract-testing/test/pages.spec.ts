import { expect, it } from '@jest/globals';
import { protosPage } from '../src/pages/protos-page';
import { RPCS } from '../src/schema/promised-errors';
import { brokenLinks } from './broken-links';

it('when the page of protos is built, then it has every RPC, and its links lead to headings', () => {
  const page = protosPage();
  for (const rpc of RPCS.keys()) expect(page).toContain(`#### ${rpc}\n`);
  expect(brokenLinks({ 'protos.md': page })).toEqual([]);
});
