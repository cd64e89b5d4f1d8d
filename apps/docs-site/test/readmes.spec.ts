import { describe, expect, it } from '@jest/globals';
import { CONTRACTS } from '@reseller/contract-testing/contracts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** The services in the table of a README; `…OrderService` are those whose names end so and stand in no row of their own. */
function tableOf(app: string): string[] {
  const readme = readFileSync(path.join(root, 'apps', app, 'README.md'), 'utf8');
  const [, table = ''] = /^\| Service \| for \|\n\|---\|---\|\n((?:\|.*\|\n)+)/m.exec(readme) ?? [];
  return [...table.matchAll(/^\| (…?\w+) \| /gm)].map(([, service = '']) => service);
}

describe('the README of a service', () => {
  it.each(Object.entries(CONTRACTS))(
    'when %s serves a gRPC service, then its table has it, and nothing else',
    (app, { services }) => {
      const table = tableOf(app);
      const served = services.map(({ service }) => {
        const isOf = (row: string): boolean => row.startsWith('…') && service.endsWith(row.slice(1));
        return table.includes(service) ? service : (table.find(isOf) ?? service);
      });
      expect([...new Set(served)].sort()).toEqual(table.sort());
    },
  );
});

describe('the page of the architecture', () => {
  it('when it names a file, then the file is there', () => {
    const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
    const named = [...page.matchAll(/`((?:apps|libs|docs|proto)\/[\w./-]+|[\w.-]+\.(?:mjs|cjs|json))`/g)].map(
      ([, file = '']) => file,
    );
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
