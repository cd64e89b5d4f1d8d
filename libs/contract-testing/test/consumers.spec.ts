import type { DescField } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fieldAt, providersOf, readPairs, type Pair } from '../src/consumers/reliance';
import { contractsPage } from '../src/pages/contracts-page';
import { protosPage } from '../src/pages/protos-page';
import { RPCS } from '../src/schema/promised-errors';
import { callersOf } from '../src/schema/schema';
import { Golden } from '../src/golden';
import { brokenLinks } from './broken-links';

describe('what consumers rely on', () => {
  let pairs: Pair[];
  beforeAll(() => {
    pairs = readPairs();
  }, 180_000);

  it('when an app calls an RPC, then the protos let it; and whom they let does call the service', () => {
    const calling = new Set(
      pairs.flatMap(({ consumer, reliances }) => reliances.map(({ rpc }) => `${consumer} ${rpc}`)),
    );
    const allowed = new Set(
      [...RPCS].flatMap(([rpc, method]) => callersOf(method).map((consumer) => `${consumer} ${rpc}`)),
    );
    expect([...calling].filter((one) => !allowed.has(one))).toEqual([]);
    // A service may let an app call all of its RPCs of which it calls some.
    const serviceOf = (one: string): string => one.slice(0, one.indexOf('.'));
    const used = new Set([...calling].map(serviceOf));
    expect([...new Set([...allowed].map(serviceOf))].filter((one) => !used.has(one))).toEqual([]);
  });

  it('when a consumer reads a field of a reply, then the provider’s contract shows it filled', () => {
    const unreachable = pairs.flatMap(({ consumer, provider, reliances }) => {
      const golden = new Golden(provider);
      const isFilled = (field: DescField): boolean => golden.formsOf(field).some((form) => form !== 'absent');
      const read = reliances.flatMap(({ method, reads }) =>
        reads.flatMap((at) => fieldAt(method.output, at) ?? []),
      );
      return [...new Set(read)]
        .filter((field) => !isFilled(field))
        .map((field) => `${consumer} reads ${String(field)}, which no case of ${provider} fills`);
    });
    expect(unreachable).toEqual([]);
  });

  it('when a service is called, then one app has the contract of it', () => {
    for (const { reliances } of pairs)
      for (const { rpc } of reliances) expect(providersOf(rpc.split('.')[0] ?? '')).not.toEqual([]);
  });

  it('when the pages are built, then they have every RPC and every pair, and links lead to headings', () => {
    const [protos, page] = [protosPage(), contractsPage(pairs)];
    for (const rpc of RPCS.keys()) expect(protos).toContain(`#### ${rpc}\n`);
    for (const { consumer, provider } of pairs) expect(page).toContain(`## ${consumer} calls ${provider}\n`);
    expect(brokenLinks({ 'protos.md': protos, 'contracts.md': page })).toEqual([]);
  });
});
