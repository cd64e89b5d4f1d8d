import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeProfiles } from './profiles.ts';
import { storedTokens } from './stored-tokens.ts';

const profile = { baseUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' };
const token = { accessToken: 't', expiresAt: Date.now() + 300_000 };
const before = { ...process.env };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'reseller-cli-'));
  process.env['XDG_CACHE_HOME'] = process.env['XDG_CONFIG_HOME'] = folder;
});
afterEach(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true });
});

it('when a token cannot be kept, then the command goes on with it', () => {
  writeFileSync(path.join(folder, 'reseller'), 'a file where the folder would be');
  expect(() => storedTokens(profile).save(token, undefined)).not.toThrow();
});

it('when a token was kept, then the next command finds it', () => {
  void storedTokens(profile).save(token, undefined);
  expect(storedTokens(profile).load(undefined)).toEqual(token);
});

it('when profiles cannot be written, then those that are there stay', () => {
  const file = writeProfiles({ profiles: { sandbox: profile } });
  const kept = readFileSync(file, 'utf8');
  mkdirSync(`${file}.${process.pid}`);
  expect(() => writeProfiles({ profiles: {} })).toThrow('EISDIR');
  expect(readFileSync(file, 'utf8')).toBe(kept);
});
