import { expect, test } from '@jest/globals';
import path from 'node:path';
import { attack } from '../../src/attack/run-attack';
import { startPlatform } from '../../src/platform/start-platform';

test('when roles, sessions, tokens, certificates and database roles are attacked, then all of it holds (spec §18.1, §18.2)', async () => {
  const platform = await startPlatform({ PLATFORM_TLS: 'true' });
  process.env.PLATFORM_JSON = platform.file;
  try {
    const lines = await attack(platform.description, path.dirname(platform.file));
    expect(lines.filter(({ isKept }) => !isKept)).toEqual([]);
  } finally {
    await platform.stop();
  }
}, 300_000);
