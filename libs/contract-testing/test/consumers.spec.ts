import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fieldAt, providersOf, readPairs, type Pair } from '../src/consumers/reliance';
import { contractsPage, promisedCodes } from '../src/pages/contracts-page';
import { RPCS } from '../src/schema/promised-errors';
import { callersOf, ROOT } from '../src/schema/schema';
import { Golden, readGolden } from '../src/golden';

const PAGE = path.join(ROOT, 'docs/platform/contracts.md');

describe('what consumers rely on', () => {
  let pairs: Pair[];
  beforeAll(() => {
    pairs = readPairs((rpc) => {
      const method = RPCS.get(rpc);
      return method ? promisedCodes(method) : [];
    });
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

  it('when a consumer reads a field of an answer, then the provider’s contract shows it filled', () => {
    const unreachable = pairs.flatMap(({ consumer, provider, reliances }) => {
      const golden = new Golden(readGolden(provider));
      const isFilled = (field: string): boolean => golden.formsOf(field).some((form) => form !== 'absent');
      const read = reliances.flatMap(({ method, reads }) =>
        reads.map((at) => fieldAt(method.output, at)).map((field) => `${field?.parent.name}.${field?.name}`),
      );
      return [...new Set(read)]
        .filter((field) => !isFilled(field))
        .map((field) => `${consumer} reads ${field}, which no case of ${provider} fills`);
    });
    expect(unreachable).toEqual([]);
  });

  it('when a service is called, then one app has the contract of it', () => {
    for (const { reliances } of pairs)
      for (const { rpc } of reliances) expect(providersOf(rpc.split('.')[0] ?? '')).not.toEqual([]);
  });

  it('when consumers are read, then docs/platform/contracts.md says who relies on what', () => {
    const page = contractsPage(pairs);
    // npm run contract-pages
    if (process.env['CONTRACT_WRITE_PAGES']) writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, 'utf8')).toBe(page);
  });
});
