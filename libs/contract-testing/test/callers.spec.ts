import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CONTRACTS } from '../src/contracts';
import { RPCS } from '../src/schema/promised-errors';
import { callersOf, ROOT } from '../src/schema/schema';

/** All that an app is made of, without its tests. */
function sourceOf(app: string): string {
  const folder = path.join(ROOT, 'apps', app, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !file.startsWith('generated'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
}

/** Whether an app calls an RPC: it names the service's client, and the client's method, which it neither serves nor has itself. */
function isCalled(app: string, source: string, rpc: string): boolean {
  const [service = '', name = ''] = rpc.split('.');
  if (CONTRACTS[app]?.services.some((one) => one.service === service)) return false;
  const method = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const isOwn = new RegExp(`^\\s*(?:async )?${method}\\(`, 'm').test(source);
  return !isOwn && source.includes(`${service}Service`) && new RegExp(`\\.${method}\\b`).test(source);
}

describe('who calls what', () => {
  it('when an app calls an RPC, then the protos let it; and whom they let does call the service', () => {
    const apps = ['gateway', 'backoffice', ...Object.keys(CONTRACTS)];
    const calling = apps.flatMap((app) => {
      const source = sourceOf(app);
      return [...RPCS.keys()].filter((rpc) => isCalled(app, source, rpc)).map((rpc) => `${app} ${rpc}`);
    });
    const allowed = [...RPCS].flatMap(([rpc, method]) => callersOf(method).map((app) => `${app} ${rpc}`));
    expect(calling.filter((one) => !allowed.includes(one))).toEqual([]);
    // A service may let an app call all of its RPCs of which it calls some.
    const serviceOf = (one: string): string => one.slice(0, one.indexOf('.'));
    const used = new Set(calling.map(serviceOf));
    expect(allowed.map(serviceOf).filter((one) => !used.has(one))).toEqual([]);
  });
});
