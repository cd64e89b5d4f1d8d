import { expect, it } from '@jest/globals';
import { configurePgbouncer } from '@reseller/local-postgres';
import { samplesFor } from '@reseller/testing';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { poolSizes } from './pooler';

it('when the documentation shows a pgbouncer.ini, then it is what the platform runs on, but for its place', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'pgbouncer-'));
  configurePgbouncer({
    ...{ directory, poolSizes, program: 'none', port: 6432, logins: [], admin: 'platform' },
    server: { host: '10.0.0.5', port: 5432 },
  });
  const written = readFileSync(path.join(directory, 'pgbouncer.ini'), 'utf8').split('\n');
  rmSync(directory, { recursive: true });
  const shown = (samplesFor(__filename)[0]?.code ?? '')
    .split('\n')
    .filter((line) => line !== '' && !/^(;|listen_|auth_file)/.test(line));
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((line) => !written.includes(line))).toEqual([]);
});
