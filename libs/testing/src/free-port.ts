import { createRequire } from 'node:module';
import { findTestingFolder } from './find-testing-folder';

/**
 * A loopback port that was free a moment ago, which no connection can have taken for its own end since; whoever can should
 * bind port 0 instead, which cannot be lost to others.
 */
export function freePort(): Promise<number> {
  const probes = createRequire(__filename)(findTestingFolder('free-port.cjs')) as {
    freePort(): Promise<number>;
  };
  return probes.freePort();
}
