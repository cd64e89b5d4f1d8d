import { expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './settings';

const FILES = [
  'docker-compose.yml',
  'deploy/Dockerfile',
  'deploy/kubernetes/**/*.yaml',
  'libs/toolchain/*.cjs',
  'libs/testing/src/*.ts',
  'libs/testing/kafka/*.cjs',
];
/** Where an image is named: in a manifest, as a build argument, and for testcontainers. */
const NAMED =
  /(?:image: (?:&\w+ )?|ARG NODE_IMAGE=|GenericContainer\(\s*'|IMAGE = ')([\w./-]+:[^\s'*]+|[\w./-]+@[^\s'*]+)/g;

it('when an image of others is used, then by version and digest, and by the same everywhere', () => {
  const found = new Map<string, Set<string>>();
  for (const file of FILES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))) {
    for (const [, image = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(NAMED)) {
      if (image.startsWith('partner-reseller/')) continue;
      const name = image.split(/[:@]/)[0] ?? '';
      found.set(name, (found.get(name) ?? new Set()).add(image));
    }
  }
  expect([...found.keys()].sort()).toEqual([
    'apache/kafka',
    'grafana/grafana',
    'jaegertracing/jaeger',
    'node',
    'postgres',
    'prom/prometheus',
    'redis',
  ]);
  for (const images of found.values())
    expect([...images]).toEqual([expect.stringMatching(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)]);
});
