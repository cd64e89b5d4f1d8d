import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.join(__dirname, '../../..');

it('when a column may hold a person, then it is declared with how long and why, and the page says so', () => {
  const check = ['libs/toolchain/personal-data-page.mjs', '--check'];
  const { stdout, status } = spawnSync(process.execPath, check, { cwd: ROOT, encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});
