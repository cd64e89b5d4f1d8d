import { describe, expect, it } from '@jest/globals';
import { packageOf, pruneLock } from '../bundle/prune-lock.mjs';

const lock = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'house' },
    'node_modules/pino': { version: '1.0.0', integrity: 'sha512-p', dependencies: { thread: '^2' } },
    'node_modules/pino/node_modules/thread': { version: '2.0.0' },
    'node_modules/thread': { version: '1.0.0' },
    'node_modules/health': {
      version: '3.0.0',
      peer: true,
      peerDependencies: { rpc: '*', prisma: '*' },
      peerDependenciesMeta: { prisma: { optional: true } },
    },
    'node_modules/rpc': {
      version: '4.0.0',
      devOptional: true,
      optionalDependencies: { fast: '1', gone: '1' },
    },
    'node_modules/fast': { version: '1.0.0', optional: true },
    'node_modules/prisma': { version: '7.0.0', dev: true },
    'node_modules/unrelated': { version: '1.0.0' },
  },
};
const prune = (...names: string[]) => pruneLock({ lock, names, app: 'finance', version: '0.1.0' });

describe('pruneLock', () => {
  it('when a bundle imports packages, then they and what they need stay where they are, and nothing else does', () => {
    const pruned = prune('health', 'pino');
    const places: Record<string, object> = pruned.lock.packages;
    expect(Object.keys(pruned.lock.packages)).toEqual([
      '',
      'node_modules/fast',
      'node_modules/health',
      'node_modules/pino',
      'node_modules/pino/node_modules/thread',
      'node_modules/rpc',
    ]);
    expect(places['node_modules/pino']).toEqual(lock.packages['node_modules/pino']);
    expect(places['node_modules/rpc']).not.toHaveProperty('devOptional');
    expect(pruned.manifest).toMatchObject({
      name: 'finance',
      dependencies: { health: '3.0.0', pino: '1.0.0' },
    });
    expect(pruned.lock.packages['']).toMatchObject({ dependencies: pruned.manifest.dependencies });
  });

  it('when a development dependency would come along, then it is refused and named with who needs it', () => {
    expect(() => prune('prisma')).toThrow('prisma, needed by finance, is a development dependency');
  });

  it('when a package is not locked, then it is refused and named', () => {
    expect(() => prune('elsewhere')).toThrow('elsewhere, needed by finance, is not in package-lock.json');
  });

  it.each([
    ['@grpc/grpc-js/build/x', '@grpc/grpc-js'],
    ['@prisma/client', '@prisma/client'],
    ['fontkit/dist/main.cjs', 'fontkit'],
    ['pg', 'pg'],
  ])('when %s is imported, then it belongs to %s', (imported, name) => {
    expect(packageOf(imported)).toBe(name);
  });
});
