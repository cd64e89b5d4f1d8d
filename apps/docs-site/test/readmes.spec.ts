import { describe, expect, it } from '@jest/globals';
import { CONTRACTS } from '@reseller/contract-testing/contracts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** `Service.Rpc` of each row `| Service | Rpc, Rpc: remark |` of the table of RPCs in a service's README. */
function tableOf(app: string): string[] {
  const readme = readFileSync(path.join(root, 'apps', app, 'README.md'), 'utf8');
  const [, table = ''] = /^\| Service \| RPCs \|\n\|---\|---\|\n((?:\|.*\|\n)+)/m.exec(readme) ?? [];
  return [...table.matchAll(/^\| (\w+) \| ([^:|]+)/gm)].flatMap(([, service, rpcs = '']) =>
    rpcs
      .replace(/\([^)]*\)/g, '')
      .split(',')
      .map((rpc) => `${service}.${rpc.trim()}`),
  );
}

describe('the README of a service', () => {
  it.each(Object.entries(CONTRACTS))(
    'when %s serves an RPC, then its table has it, and nothing else',
    (app, { services }) => {
      const served = services.flatMap(({ service, rpcs }) =>
        Object.keys(rpcs).map((rpc) => `${service}.${rpc}`),
      );
      expect(tableOf(app).sort()).toEqual(served.sort());
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
